-- fragment: pin_columns
p.id, p.content, p.importance, p.type, p.source_message_id, p.created_at, p.reason

-- name: get
SELECT {pin_columns} FROM pins p
WHERE p.space_key = :space_key AND p.id = :id AND p.conversation_key = :conversation_key AND {live_source p};

-- name: delete
DELETE FROM pins WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key;

-- name: save
INSERT INTO pins (space_key, conversation_key, id, content, importance, type, source_message_id, created_at, reason)
{values} ON CONFLICT (space_key, id) DO UPDATE SET {excluded content, importance, type, source_message_id, reason}
WHERE pins.conversation_key = excluded.conversation_key;

-- name: list
SELECT {pin_columns} FROM pins p WHERE p.space_key = :space_key AND p.conversation_key = :conversation_key
  AND {live_source p}
ORDER BY p.importance DESC, p.created_at DESC, p.pin_key DESC LIMIT {limit};

-- name: within
SELECT {pin_columns}, c.id AS conversation FROM pins p JOIN conversations c USING (space_key, conversation_key)
WHERE p.space_key = :space_key AND (CAST(:conversation_key AS bigint) IS NULL OR p.conversation_key = :conversation_key)
  AND {live_source p} AND {live c}
ORDER BY p.id DESC LIMIT {limit};

-- name: automatic
SELECT count(*) FROM pins WHERE {in_conversation} AND reason IS NOT NULL;

-- name: mark
INSERT INTO pin_marks (space_key, conversation_key, mark, source_message_id) {values} ON CONFLICT DO NOTHING;

-- name: marks
SELECT mark, source_message_id FROM pin_marks WHERE {in_conversation} ORDER BY mark;
