-- name: vectors
SELECT (SELECT coalesce(sum(octet_length(data)), 0)::bigint FROM vectors WHERE space_key = :space_key)
     + (SELECT coalesce(sum(octet_length(data)), 0)::bigint FROM vector_blocks WHERE space_key = :space_key)
     + (SELECT coalesce(sum(2 * m.dimension), 0)::bigint FROM near JOIN embedding_models m USING (model_key)
        WHERE space_key = :space_key)
     + (SELECT coalesce(sum(octet_length(data)), 0)::bigint FROM note_vectors WHERE space_key = :space_key);

-- name: full_text
SELECT pg_total_relation_size('chunk_terms') AS bytes,
       (SELECT greatest(reltuples, 1)::bigint FROM pg_class WHERE oid = 'chunk_terms'::regclass) AS terms;
