-- name: insert
INSERT INTO chunks (space_key, chunk_key, message_key, part, kind, language, start, stop, tokens, terms) {values};

-- name: last_key
SELECT coalesce(max(chunk_key), 0) FROM chunks WHERE space_key = :space_key;

-- name: index
INSERT INTO chunk_terms (space_key, chunk_key, terms)
VALUES (:space_key, :chunk_key, array_to_tsvector(string_to_array(:terms, ' ')));

-- name: unindex
DELETE FROM chunk_terms WHERE space_key = :space_key AND chunk_key = :chunk_key;

-- name: frequencies
-- `terms` are lists of a term and its marked forms.
SELECT chunks_having(quote_literal(t.forms ->> 0)::tsquery, NULL) AS once,
       chunks_having(quote_literal(t.forms ->> 1)::tsquery, NULL) AS twice,
       chunks_having(quote_literal(t.forms ->> 2)::tsquery, NULL) AS often
FROM jsonb_array_elements(CAST(:terms AS jsonb)) WITH ORDINALITY t(forms, key) ORDER BY t.key;

-- name: postings
SELECT chunks_having(quote_literal(t.value)::tsquery, NULL) FROM each_text(:terms) t ORDER BY t.key;

-- name: postings_from
SELECT chunks_having((quote_literal(:term) || ':*')::tsquery, NULL);
