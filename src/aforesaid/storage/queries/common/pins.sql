-- A branch has the pins of a shared message, and those without a message that were made before the fork.
-- fragment: pin_columns
p.id, p.content, p.importance, p.type, p.source_message_id, p.created_at, p.reason

-- fragment: shared_pin
(:until = 4611686018427387904 OR CASE WHEN p.source_message_id IS NULL THEN p.created_at <= :until
   ELSE (SELECT x.seq FROM messages x WHERE x.space_key = p.space_key AND x.id = p.source_message_id) <= :last_seq END)

-- name: get
SELECT {pin_columns} FROM pins p
WHERE p.space_key = :space_key AND p.id = :id AND p.conversation_key = :conversation_key AND {live_source p}
  AND {shared_pin};

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

-- name: list_shared
SELECT {pin_columns} FROM pins p WHERE p.space_key = :space_key AND p.conversation_key = :conversation_key
  AND {live_source p} AND {shared_pin}
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
