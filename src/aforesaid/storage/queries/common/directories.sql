-- name: special
SELECT conversation_key, muted, NULL AS parent_key, NULL AS forked_at, NULL AS created_at FROM conversations
WHERE space_key = {named_space} AND muted = 1
UNION ALL
SELECT conversation_key, 0, parent_key, forked_at, created_at FROM conversations
WHERE space_key = {named_space} AND parent_key IS NOT NULL;

-- name: messages
SELECT message_key, conversation_key, seq, created_at, importance, role, name, tokens, first_chunk, last_chunk, salience
FROM messages WHERE space_key = :space_key AND message_key > :after AND role <> 'system' AND first_chunk IS NOT NULL
ORDER BY message_key;
