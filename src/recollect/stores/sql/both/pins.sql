-- name: get
SELECT id, content, importance, type, source_message_id, created_at, reason FROM pins
WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key;

-- name: delete
DELETE FROM pins WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key;
