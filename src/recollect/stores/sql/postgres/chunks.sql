-- name: last_key
SELECT coalesce(max(chunk_key), 0) FROM chunks WHERE space_key = :space_key;

-- name: insert
INSERT INTO chunks (space_key, chunk_key, message_key, part, kind, language, start, stop, tokens, terms)
VALUES (:space_key, :chunk_key, :message_key, :part, :kind, :language, :start, :stop, :tokens, :terms);

-- name: of_message
SELECT chunk_key, part, kind, language, start, stop, tokens, terms FROM chunks
WHERE space_key = :space_key AND chunk_key BETWEEN :first_chunk AND :last_chunk ORDER BY chunk_key;

-- name: of_keys
SELECT c.message_key, c.part, c.kind, c.language, c.start, c.stop, c.tokens, c.chunk_key
FROM each_number(:keys) k JOIN chunks c ON c.space_key = :space_key AND c.chunk_key = k.value;

-- name: delete
DELETE FROM chunks WHERE space_key = :space_key AND chunk_key BETWEEN :first_chunk AND :last_chunk;

-- name: index
INSERT INTO chunk_terms (space_key, chunk_key, terms)
VALUES (:space_key, :chunk_key, array_to_tsvector(string_to_array(:terms, ' ')));

-- name: unindex
DELETE FROM chunk_terms WHERE space_key = :space_key AND chunk_key = :chunk_key;

-- name: postings
SELECT chunks_having(quote_literal(:term)::tsquery, NULL);

-- name: postings_from
SELECT chunks_having((quote_literal(:term) || ':*')::tsquery, NULL);
