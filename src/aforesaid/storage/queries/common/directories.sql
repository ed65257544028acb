-- name: muted
SELECT conversation_key FROM conversations WHERE space_key = {named_space} AND muted = 1;

-- name: messages
SELECT message_key, conversation_key, seq, created_at, importance, role, name, tokens, first_chunk, last_chunk, salience
FROM messages WHERE space_key = :space_key AND message_key > :after AND role <> 'system' AND first_chunk IS NOT NULL
ORDER BY message_key;
