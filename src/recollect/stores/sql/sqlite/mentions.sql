-- name: of_messages
SELECT m.id, t.start, t.stop, t.text
FROM json_each(:ids) i CROSS JOIN messages m ON m.space_key = :space_key AND m.id = i.value
JOIN mentions t ON t.space_key = m.space_key AND t.message_key = m.message_key
ORDER BY i.key, t.position;
