-- name: models
SELECT model_key, name, dimension, state, reached FROM embedding_models ORDER BY model_key;

-- name: model
SELECT model_key, name, dimension, state, reached FROM embedding_models WHERE name = :name;

-- name: add_model
INSERT INTO embedding_models (name, state) VALUES (:name, :state)
ON CONFLICT (name) DO UPDATE SET state = excluded.state, reached = 0;

-- name: set_state
UPDATE embedding_models SET state = :state WHERE model_key = :model_key;

-- name: set_dimension
UPDATE embedding_models SET dimension = :dimension WHERE model_key = :model_key AND dimension IS NULL;

-- name: reach
UPDATE embedding_models SET reached = :reached WHERE model_key = :model_key AND reached = :before;

-- name: retire_building
UPDATE embedding_models SET state = 'retired' WHERE state = 'building';

-- name: owner
SELECT space_key, conversation_key, first_chunk, last_chunk, text FROM messages WHERE message_key = :message_key;

-- name: tail_count
SELECT count(*) FROM vectors WHERE space_key = :space_key AND model_key = :model_key;

-- name: tail_cut
DELETE FROM vectors WHERE space_key = :space_key AND model_key = :model_key AND message_key = :message_key
  AND part = :part;

-- name: add_block
INSERT INTO vector_blocks (space_key, model_key, count, targets, scales, data)
VALUES (:space_key, :model_key, :count, :targets, :scales, :data);

-- name: block_keys
SELECT block_key FROM vector_blocks WHERE space_key = :space_key AND model_key = :model_key ORDER BY block_key;

-- name: space_blocks
SELECT block_key, model_key, targets FROM vector_blocks WHERE space_key = :space_key;

-- name: clear_blocks
DELETE FROM vector_blocks WHERE model_key = :model_key;

-- name: embeddable
SELECT message_key FROM messages WHERE role <> 'system' AND first_chunk IS NOT NULL;

-- name: tail_messages
SELECT DISTINCT message_key FROM vectors WHERE model_key = :model_key;

-- name: block_targets
SELECT targets FROM vector_blocks WHERE model_key = :model_key;
