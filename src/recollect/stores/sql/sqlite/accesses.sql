-- name: add
INSERT INTO accesses (space_key, message_key, count, last_at)
SELECT m.space_key, m.message_key, i.value ->> 1, i.value ->> 2
FROM json_each(:handed) i CROSS JOIN messages m ON m.space_key = :space_key AND m.id = i.value ->> 0 WHERE true
ON CONFLICT (space_key, message_key)
DO UPDATE SET count = count + excluded.count, last_at = max(last_at, excluded.last_at);

-- name: of
SELECT m.id, a.count, a.last_at
FROM json_each(:ids) i CROSS JOIN messages m ON m.space_key = :space_key AND m.id = i.value
JOIN accesses a ON a.space_key = m.space_key AND a.message_key = m.message_key;

-- name: counts
SELECT a.message_key, a.count FROM json_each(:keys) k
CROSS JOIN accesses a ON a.space_key = :space_key AND a.message_key = k.value;

-- name: after
SELECT m.id, a.count, a.last_at, a.message_key
FROM accesses a CROSS JOIN messages m USING (message_key)
WHERE a.space_key = :space_key AND a.message_key > :after ORDER BY a.message_key LIMIT :limit;

-- name: delete
DELETE FROM accesses WHERE space_key = :space_key
  AND message_key IN (SELECT message_key FROM messages WHERE conversation_key = :conversation_key);
