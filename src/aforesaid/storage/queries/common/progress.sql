-- name: read_up_to
INSERT INTO progress (space_key, conversation_key, step, reached)
SELECT m.space_key, m.conversation_key, :step, max(m.seq) FROM messages m
WHERE m.space_key = :space_key GROUP BY m.space_key, m.conversation_key
ON CONFLICT DO NOTHING;

-- name: read_again
DELETE FROM progress WHERE space_key = :space_key AND step = :step
  AND conversation_key IN (SELECT conversation_key FROM conversations WHERE space_key = :space_key);

-- A step may have read messages that are deleted since: what it has read of the others counts.
-- name: all
SELECT step, (SELECT CASE WHEN max(m.seq) >= p.reached THEN p.reached ELSE max(m.seq) END
              FROM messages m WHERE {in_conversation}) AS reached
FROM progress p WHERE {in_conversation} ORDER BY step;
