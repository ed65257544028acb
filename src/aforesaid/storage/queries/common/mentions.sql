-- name: put
INSERT INTO mentions (space_key, message_key, start, stop, text, position)
SELECT space_key, message_key, :start, :stop, :text, :position FROM messages WHERE message_key = :message_key;

-- name: delete
DELETE FROM mentions WHERE space_key = :space_key AND message_key = :message_key;

-- name: within
SELECT DISTINCT message_key FROM mentions WHERE space_key = :space_key AND start < :stop AND stop > :start;

-- name: of_messages
SELECT m.id, t.start, t.stop, t.text FROM {each_text}(:ids) i
{join_in_order} messages m ON m.space_key = :space_key AND m.id = i.value
JOIN mentions t ON t.space_key = m.space_key AND t.message_key = m.message_key ORDER BY i.key, t.position;
