-- name: save
INSERT INTO pins (space_key, conversation_key, id, content, importance, type, source_message_id, created_at)
VALUES (:space_key, :conversation_key, :id, :content, :importance, :type, :source_message_id, :created_at)
ON CONFLICT (space_key, id) DO UPDATE SET
  content = excluded.content, importance = excluded.importance, type = excluded.type,
  source_message_id = excluded.source_message_id
WHERE conversation_key = excluded.conversation_key;

-- name: get
SELECT id, content, importance, type, source_message_id, created_at FROM pins
WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key;

-- name: list
SELECT id, content, importance, type, source_message_id, created_at FROM pins
WHERE conversation_key = :conversation_key
ORDER BY importance DESC, created_at DESC, pin_key DESC LIMIT :limit;

-- name: delete
DELETE FROM pins WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key;

-- name: within
SELECT p.id, p.content, p.importance, p.type, p.source_message_id, p.created_at, c.id AS conversation
FROM pins p JOIN conversations c USING (conversation_key)
WHERE p.space_key = :space_key AND (:conversation_key IS NULL OR p.conversation_key = :conversation_key)
ORDER BY p.id DESC LIMIT :limit;
