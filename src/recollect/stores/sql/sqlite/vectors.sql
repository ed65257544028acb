-- name: passages
SELECT part, start, stop, tokens FROM chunks WHERE chunk_key BETWEEN :first_chunk AND :last_chunk ORDER BY chunk_key;

-- name: chunk_key
SELECT chunk_key FROM chunks WHERE chunk_key >= :low ORDER BY chunk_key LIMIT 1;

-- name: next_messages
SELECT message_key FROM messages
WHERE message_key > :reached AND role <> 'system' AND first_chunk IS NOT NULL ORDER BY message_key LIMIT :limit;

-- name: put
INSERT OR REPLACE INTO vectors (space_key, model_key, message_key, part, conversation_key, chunk_key, scale, data)
VALUES (:space_key, :model_key, :message_key, :part, :conversation_key, :chunk_key, :scale, :data);

-- name: tail
SELECT message_key, part, conversation_key, chunk_key, scale, data FROM vectors
WHERE space_key = :space_key AND model_key = :model_key ORDER BY message_key, part LIMIT :limit;

-- name: remove
DELETE FROM vectors WHERE space_key = :space_key AND model_key = :model_key AND message_key = :message_key;

-- name: block
SELECT targets, scales, data FROM vector_blocks WHERE block_key = :block_key;

-- name: delete_block
DELETE FROM vector_blocks WHERE block_key = :block_key;

-- name: embedded
SELECT (SELECT count(*) FROM vectors WHERE model_key = :model_key)
     + (SELECT total(count) FROM vector_blocks WHERE model_key = :model_key);

-- name: expected
SELECT (SELECT count(*) FROM chunks c JOIN messages m USING (message_key) WHERE m.role <> 'system')
     + (SELECT count(*) FROM messages WHERE role <> 'system' AND last_chunk > first_chunk);

-- name: sweep_vectors
DELETE FROM vectors WHERE (space_key, model_key, message_key, part) IN (
  SELECT space_key, model_key, message_key, part FROM vectors
  WHERE model_key IN (SELECT model_key FROM embedding_models WHERE state = 'retired') LIMIT :limit);

-- name: sweep_blocks
DELETE FROM vector_blocks WHERE block_key IN (
  SELECT block_key FROM vector_blocks
  WHERE model_key IN (SELECT model_key FROM embedding_models WHERE state = 'retired') LIMIT :limit);

-- name: clear_vectors
DELETE FROM vectors WHERE model_key = :model_key;

-- name: unreach
UPDATE embedding_models SET reached = min(reached, (SELECT coalesce(max(message_key), 0) FROM messages));
