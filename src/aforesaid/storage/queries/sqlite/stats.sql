-- name: vectors
SELECT (SELECT total(octet_length(data)) FROM vectors WHERE space_key = :space_key)
     + (SELECT total(octet_length(data)) FROM vector_blocks WHERE space_key = :space_key)
     + (SELECT total(octet_length(data)) FROM note_vectors WHERE space_key = :space_key);

-- name: full_text
SELECT (SELECT total(pgsize) FROM dbstat('main', 1) WHERE name IN ('chunk_terms_data', 'chunk_terms_idx')) AS bytes,
       (SELECT total(terms) FROM conversations WHERE space_key IN (SELECT space_key FROM spaces)) AS terms;
