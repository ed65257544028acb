-- name: last_key
SELECT coalesce(max(chunk_key), 0) FROM chunks;

-- name: insert
INSERT INTO chunks (chunk_key, message_key, part, kind, language, start, stop, tokens, terms)
VALUES (:chunk_key, :message_key, :part, :kind, :language, :start, :stop, :tokens, :terms);

-- name: of_message
SELECT chunk_key, part, kind, language, start, stop, tokens, terms FROM chunks
WHERE chunk_key BETWEEN :first_chunk AND :last_chunk ORDER BY chunk_key;

-- name: of_keys
SELECT c.message_key, c.part, c.kind, c.language, c.start, c.stop, c.tokens, c.chunk_key
FROM json_each(:keys) k CROSS JOIN chunks c ON c.chunk_key = k.value;

-- name: delete
DELETE FROM chunks WHERE chunk_key BETWEEN :first_chunk AND :last_chunk;

-- name: index
INSERT INTO chunk_terms (rowid, terms) VALUES (:chunk_key, :terms);

-- name: unindex
DELETE FROM chunk_terms WHERE rowid = :chunk_key;

-- name: postings
SELECT (SELECT group_concat(doc) FROM chunk_postings WHERE term = t.value) FROM json_each(:terms) t ORDER BY t.key;

-- name: postings_from
SELECT group_concat(doc) FROM chunk_postings WHERE term >= :term AND term < :stop;
