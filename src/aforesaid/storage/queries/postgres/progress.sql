-- name: advance
INSERT INTO progress (space_key, conversation_key, step, reached) {values}
ON CONFLICT (space_key, conversation_key, step) DO UPDATE SET reached = excluded.reached
WHERE excluded.reached > progress.reached;
