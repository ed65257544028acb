-- name: index
INSERT INTO note_terms (space_key, note_key, terms)
VALUES (:space_key, :note_key, array_to_tsvector(string_to_array(:terms, ' ')));

-- name: unindex
DELETE FROM note_terms WHERE note_key = :note_key;

-- name: postings
SELECT notes_having(quote_literal(t.value)::tsquery, :limit) FROM each_text(:terms) t ORDER BY t.key;

-- name: postings_from
SELECT notes_having((quote_literal(:term) || ':*')::tsquery, :limit);

-- name: unbuilt
SELECT n.note_key, n.text FROM notes n
WHERE NOT EXISTS (SELECT 1 FROM note_vectors v WHERE v.model_key = :model_key AND v.note_key = n.note_key)
ORDER BY n.note_key LIMIT :limit;
