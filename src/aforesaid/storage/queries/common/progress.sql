-- name: reached
SELECT reached FROM progress WHERE space_key = :space_key AND conversation_key = :conversation_key AND step = :step;

-- name: all
SELECT step, reached FROM progress WHERE space_key = :space_key AND conversation_key = :conversation_key
ORDER BY step;

-- name: forget
DELETE FROM progress WHERE space_key = :space_key AND conversation_key = :conversation_key;
