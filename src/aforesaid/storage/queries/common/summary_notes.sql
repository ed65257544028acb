-- name: stray
SELECT n.id FROM notes n
WHERE n.space_key = :space_key AND n.conversation_key = :conversation_key AND n.kind = 'summary'
  AND NOT EXISTS (SELECT 1 FROM summaries s WHERE s.space_key = n.space_key AND s.id = n.id
                    AND s.conversation_key = n.conversation_key AND s.status = 'completed' AND s.replaced_by IS NULL);

-- name: unnoted
SELECT s.id, s.kind, s.text, s.importance, s.created_at FROM summaries s
WHERE s.space_key = :space_key AND s.conversation_key = :conversation_key AND s.status = 'completed'
  AND s.replaced_by IS NULL
  AND NOT EXISTS (SELECT 1 FROM notes n WHERE n.space_key = s.space_key AND n.kind = 'summary' AND n.id = s.id
                    AND n.text = s.text AND n.importance = s.importance AND n.at = s.created_at)
ORDER BY s.summary_key;
