-- name: remove
DELETE FROM vectors WHERE space_key = :space_key AND model_key = :model_key AND message_key = :message_key;

-- name: clear_vectors
DELETE FROM vectors WHERE model_key = :model_key;

-- name: unreach
UPDATE embedding_models SET reached = min(reached, (SELECT coalesce(max(message_key), 0) FROM messages));
