-- name: remove
DELETE FROM near WHERE space_key = :space_key AND model_key = :model_key AND message_key = :message_key;
DELETE FROM vectors WHERE space_key = :space_key AND model_key = :model_key AND message_key = :message_key;

-- name: clear_vectors
DELETE FROM near_spaces WHERE model_key = :model_key;
DELETE FROM near WHERE model_key = :model_key;
DELETE FROM vectors WHERE model_key = :model_key;

-- name: unreach
SELECT 1;  -- a message's key is never used again
