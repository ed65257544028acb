-- name: models
SELECT model_key, name, dimension, state, reached FROM embedding_models ORDER BY model_key;

-- name: model
SELECT model_key, name, dimension, state, reached FROM embedding_models WHERE name = :name;

-- name: add_model
INSERT INTO embedding_models (name, state) {values}
ON CONFLICT (name) DO UPDATE SET state = excluded.state, reached = 0;

-- name: set_state
UPDATE embedding_models SET state = :state WHERE model_key = :model_key;

-- name: set_dimension
UPDATE embedding_models SET dimension = :dimension WHERE model_key = :model_key AND dimension IS NULL;

-- name: reach
UPDATE embedding_models SET reached = :reached WHERE model_key = :model_key AND reached = :before;

-- name: retire_building
UPDATE embedding_models SET state = 'retired' WHERE state = 'building';

-- name: tail_count
SELECT count(*) FROM vectors WHERE space_key = :space_key AND model_key = :model_key;

-- name: tail_cut
DELETE FROM vectors
WHERE space_key = :space_key AND model_key = :model_key AND message_key = :message_key AND part = :part;

-- name: add_block
INSERT INTO vector_blocks (space_key, model_key, count, targets, scales, data) {values};

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

-- name: chunk_key
SELECT chunk_key FROM chunks WHERE space_key = :space_key AND chunk_key >= :low ORDER BY chunk_key LIMIT 1;

-- name: next_messages
SELECT message_key FROM messages WHERE message_key > :reached AND role <> 'system' AND first_chunk IS NOT NULL
ORDER BY message_key LIMIT {limit};

-- name: put
INSERT INTO vectors (space_key, model_key, message_key, part, conversation_key, chunk_key, scale, data) {values}
ON CONFLICT (space_key, model_key, message_key, part) DO UPDATE SET {excluded conversation_key, chunk_key, scale, data};

-- name: tail
SELECT message_key, part, conversation_key, chunk_key, scale, data FROM vectors
WHERE space_key = :space_key AND model_key = :model_key ORDER BY message_key, part LIMIT {limit};

-- name: tail_after
SELECT message_key, part, conversation_key, chunk_key, scale, data FROM vectors
WHERE space_key = :space_key AND model_key = :model_key AND message_key > :reached ORDER BY message_key, part;

-- name: tail_state
SELECT count(*) AS count, sum(scale) AS scales, sum(chunk_key * 1.0) AS chunks FROM vectors
WHERE space_key = :space_key AND model_key = :model_key AND message_key <= :reached;

-- name: block
SELECT targets, scales, data FROM vector_blocks WHERE space_key = :space_key AND block_key = :block_key;

-- name: delete_block
DELETE FROM vector_blocks WHERE space_key = :space_key AND block_key = :block_key;

-- name: embedded
SELECT (SELECT count(*) FROM vectors WHERE model_key = :model_key)
     + (SELECT CAST(coalesce(sum(count), 0) AS bigint) FROM vector_blocks WHERE model_key = :model_key);

-- name: expected
SELECT (SELECT count(*) FROM chunks c JOIN messages m USING (space_key, message_key) WHERE m.role <> 'system')
     + (SELECT count(*) FROM messages WHERE role <> 'system' AND last_chunk > first_chunk);

-- name: sweep_vectors
DELETE FROM vectors WHERE (space_key, model_key, message_key, part) IN (
  SELECT space_key, model_key, message_key, part FROM vectors
  WHERE model_key IN (SELECT model_key FROM embedding_models WHERE state = 'retired') LIMIT {limit});

-- name: sweep_blocks
DELETE FROM vector_blocks WHERE block_key IN (
  SELECT block_key FROM vector_blocks
  WHERE model_key IN (SELECT model_key FROM embedding_models WHERE state = 'retired') LIMIT {limit});
