-- name: save
INSERT INTO pins (space_key, conversation_key, id, content, importance, type, source_message_id, created_at,
                  reason)
VALUES (:space_key, :conversation_key, :id, :content, :importance, :type, :source_message_id, :created_at,
        :reason)
ON CONFLICT (space_key, id) DO UPDATE SET
  content = excluded.content, importance = excluded.importance, type = excluded.type,
  source_message_id = excluded.source_message_id, reason = excluded.reason
WHERE conversation_key = excluded.conversation_key;

-- name: list
SELECT id, content, importance, type, source_message_id, created_at, reason FROM pins
WHERE conversation_key = :conversation_key
ORDER BY importance DESC, created_at DESC, pin_key DESC LIMIT :limit;

-- name: within
SELECT p.id, p.content, p.importance, p.type, p.source_message_id, p.created_at, p.reason,
       c.id AS conversation
FROM pins p JOIN conversations c USING (conversation_key)
WHERE p.space_key = :space_key AND (:conversation_key IS NULL OR p.conversation_key = :conversation_key)
ORDER BY p.id DESC LIMIT :limit;

-- name: automatic
SELECT count(*) FROM pins WHERE conversation_key = :conversation_key AND reason IS NOT NULL;

-- name: mark
INSERT OR IGNORE INTO pin_marks (conversation_key, mark, source_message_id)
VALUES (:conversation_key, :mark, :source_message_id);

-- name: marks
SELECT mark, source_message_id FROM pin_marks WHERE conversation_key = :conversation_key ORDER BY mark;
