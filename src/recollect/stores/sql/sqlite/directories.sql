-- name: muted
SELECT conversation_key FROM conversations
WHERE space_key = (SELECT space_key FROM spaces WHERE id = :space) AND muted;

-- name: messages
SELECT message_key, conversation_key, seq, created_at, importance, role, name, tokens, first_chunk, last_chunk
FROM messages INDEXED BY messages_directory
WHERE space_key = :space_key AND message_key > :after AND role <> 'system' AND first_chunk IS NOT NULL
ORDER BY message_key;

-- name: labelled
SELECT message_key FROM messages INDEXED BY messages_directory
WHERE space_key = :space_key AND metadata IS NOT NULL
  AND (:categories IS NULL
       OR json_extract(metadata, '$.category') IN (SELECT value FROM json_each(:categories)))
  AND (:tags IS NULL
       OR EXISTS (SELECT 1 FROM json_each(metadata, '$.tags') t JOIN json_each(:tags) w ON w.value = t.value));
