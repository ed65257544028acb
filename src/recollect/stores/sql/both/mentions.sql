-- name: spoken
SELECT message_key, text, created_at, utc_offset FROM messages WHERE message_key = :message_key;

-- name: put
INSERT INTO mentions (space_key, message_key, start, stop, text, position)
SELECT space_key, message_key, :start, :stop, :text, :position FROM messages WHERE message_key = :message_key;

-- name: delete
DELETE FROM mentions WHERE space_key = :space_key AND message_key = :message_key;

-- name: within
SELECT DISTINCT message_key FROM mentions WHERE space_key = :space_key AND start < :stop AND stop > :start;
