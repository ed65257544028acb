-- name: reached
SELECT reached FROM progress WHERE space_key = :space_key AND conversation_key = :conversation_key AND step = :step;

-- name: all
SELECT step, reached FROM progress WHERE space_key = :space_key AND conversation_key = :conversation_key ORDER BY step;

-- name: advance
INSERT INTO progress (space_key, conversation_key, step, reached) VALUES (:space_key, :conversation_key, :step, :reached)
ON CONFLICT (space_key, conversation_key, step) DO UPDATE SET reached = excluded.reached WHERE excluded.reached > progress.reached;

-- name: back
UPDATE progress SET reached = :reached WHERE space_key = :space_key AND conversation_key = :conversation_key AND reached > :reached;

-- name: forget
DELETE FROM progress WHERE space_key = :space_key AND conversation_key = :conversation_key;
