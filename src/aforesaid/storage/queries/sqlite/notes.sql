-- name: index
INSERT INTO note_terms (rowid, terms) VALUES (:note_key, :terms);

-- name: unindex
DELETE FROM note_terms WHERE rowid = :note_key;

-- name: postings
SELECT (SELECT group_concat(doc) FROM (SELECT doc FROM note_postings WHERE term = t.value LIMIT :limit))
FROM json_each(:terms) t ORDER BY t.key;

-- name: postings_from
SELECT group_concat(doc) FROM (SELECT doc FROM note_postings WHERE term >= :term AND term < :stop LIMIT :limit);

-- name: unbuilt
SELECT note_key, text FROM notes
WHERE note_key > (SELECT coalesce(max(note_key), 0) FROM note_vectors WHERE model_key = :model_key)
ORDER BY note_key LIMIT :limit;
