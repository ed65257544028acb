-- name: restore
INSERT INTO accesses (space_key, message_key, count, last_at)
SELECT space_key, message_key, :count, :last_at FROM messages WHERE space_key = :space_key AND id = :id
ON CONFLICT (space_key, message_key) DO NOTHING;
