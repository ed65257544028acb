-- name: open
SELECT n.space_key FROM near_spaces n WHERE n.model_key = :model_key AND EXISTS (
  SELECT 1 FROM pg_attribute a WHERE a.attrelid = to_regclass('near') AND a.attname = 'vector'
    AND NOT a.attisdropped);

-- name: state
SELECT n.reached, n.filled = 1, EXISTS (
         SELECT 1 FROM pg_attribute a WHERE a.attrelid = to_regclass('near') AND a.attname = 'vector'
           AND NOT a.attisdropped),
       coalesce((SELECT i.indisvalid FROM pg_index i
                 WHERE i.indexrelid = to_regclass(format('near_%s_%s', n.space_key, n.model_key))), false)
FROM near_spaces n WHERE n.space_key = :space_key AND n.model_key = :model_key;

-- name: begin
INSERT INTO near_spaces (space_key, model_key) {values} ON CONFLICT DO NOTHING;

-- name: reach
UPDATE near_spaces SET reached = :reached WHERE space_key = :space_key AND model_key = :model_key;

-- name: fill
UPDATE near_spaces SET filled = 1 WHERE space_key = :space_key AND model_key = :model_key;

-- name: next_blocks
SELECT block_key, targets, scales, data FROM vector_blocks
WHERE space_key = :space_key AND model_key = :model_key AND block_key > :reached ORDER BY block_key LIMIT :limit;

-- name: count
SELECT (SELECT count(*) FROM vectors WHERE space_key = :space_key AND model_key = :model_key)
     + (SELECT coalesce(sum(count), 0)::bigint FROM vector_blocks WHERE space_key = :space_key
       AND model_key = :model_key);

-- name: large
SELECT space_key FROM (
  SELECT space_key, count FROM vector_blocks WHERE model_key = :model_key
  UNION ALL SELECT space_key, count(*) FROM vectors WHERE model_key = :model_key GROUP BY space_key) v
GROUP BY space_key HAVING sum(count) >= :least;

-- name: awaited
SELECT 1 FROM jobs WHERE kind = 'near' AND target = :space_key AND state IN ('queued', 'running');

-- name: uneven
SELECT n.space_key, n.model_key FROM near_spaces n
WHERE n.filled = 1 AND (SELECT count(*) FROM near r WHERE r.space_key = n.space_key AND r.model_key = n.model_key)
  <> (SELECT count(*) FROM vectors v WHERE v.space_key = n.space_key AND v.model_key = n.model_key)
   + (SELECT coalesce(sum(b.count), 0) FROM vector_blocks b WHERE b.space_key = n.space_key
     AND b.model_key = n.model_key);

-- name: leave
DELETE FROM near_spaces WHERE space_key = :space_key AND model_key = :model_key;
DELETE FROM near WHERE space_key = :space_key AND model_key = :model_key;

-- name: settings
SELECT set_config('search_path', current_setting('search_path') || ', ' || quote_ident(n.nspname), true)
FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
WHERE e.extname = 'vector' AND n.nspname <> ALL (current_schemas(false));

-- name: begin_search
-- Uses only the index, which continues the search if a filter drops its results.
SELECT set_config('enable_sort', 'off', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
  set_config('hnsw.ef_search', '1000', true), set_config('hnsw.scan_mem_multiplier', '4', true);

-- name: end_search
SELECT set_config('enable_sort', 'on', true);

-- name: put
INSERT INTO near (space_key, model_key, message_key, part, conversation_key, chunk_key, scale, vector)
SELECT :space_key, :model_key, message, part, conversation, chunk, scale, vector::halfvec
FROM unnest(:messages::bigint[], :parts::bigint[], :conversations::bigint[], :chunks::bigint[], :scales::real[],
  :vectors::text[])
  AS r (message, part, conversation, chunk, scale, vector)
ON CONFLICT (space_key, model_key, message_key, part) DO UPDATE SET
  {excluded conversation_key, chunk_key, scale, vector};

-- name: products
SELECT chunk_key, message_key, scale, -(vector <#> :query::halfvec) AS product FROM near
WHERE space_key = :space_key AND model_key = :model_key AND message_key = ANY (:messages::bigint[]);

-- name: retire
DELETE FROM near_spaces WHERE model_key IN (SELECT model_key FROM embedding_models WHERE state = 'retired')
RETURNING space_key;

-- name: sweep
DELETE FROM near WHERE (space_key, model_key, message_key, part) IN (
  SELECT space_key, model_key, message_key, part FROM near
  WHERE model_key IN (SELECT model_key FROM embedding_models WHERE state = 'retired') LIMIT :limit);
