-- name: of_message
SELECT chunk_key, part, kind, language, start, stop, tokens, terms FROM chunks
WHERE space_key = :space_key AND chunk_key BETWEEN :first_chunk AND :last_chunk ORDER BY chunk_key;

-- name: delete
DELETE FROM chunks WHERE space_key = :space_key AND chunk_key BETWEEN :first_chunk AND :last_chunk;
