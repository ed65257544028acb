-- name: restore
INSERT INTO accesses (space_key, message_key, count, last_at) SELECT space_key, message_key, :count, :last_at
FROM messages WHERE space_key = :space_key AND id = :id ON CONFLICT (space_key, message_key) DO NOTHING;

-- name: add
INSERT INTO accesses AS a (space_key, message_key, count, last_at)
SELECT m.space_key, m.message_key, CAST({json i.value} ->> 1 AS bigint), CAST({json i.value} ->> 2 AS bigint)
FROM {each_text}(:handed) i {join_in_order} messages m ON m.space_key = :space_key AND m.id = ({json i.value} ->> 0)
WHERE true ON CONFLICT (space_key, message_key)
DO UPDATE SET count = a.count + excluded.count, last_at = {greatest}(a.last_at, excluded.last_at);

-- name: of
SELECT m.id, a.count, a.last_at FROM {each_text}(:ids) i
{join_in_order} messages m ON m.space_key = :space_key AND m.id = i.value
JOIN accesses a ON a.space_key = m.space_key AND a.message_key = m.message_key;

-- name: counts
SELECT message_key, count FROM accesses WHERE space_key = :space_key AND message_key {among keys};

-- name: after
SELECT m.id, a.count, a.last_at, a.message_key FROM accesses a
{join_in_order} messages m USING (space_key, message_key) WHERE a.space_key = :space_key AND a.message_key > :after
ORDER BY a.message_key LIMIT :limit;

-- name: delete
DELETE FROM accesses WHERE space_key = :space_key AND message_key = :message_key;
