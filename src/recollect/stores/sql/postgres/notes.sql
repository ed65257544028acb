-- name: label
INSERT INTO note_labels (space_key, label, note_key) VALUES (:space_key, :label, :note_key)
ON CONFLICT DO NOTHING;

-- name: index
INSERT INTO note_terms (space_key, note_key, terms)
VALUES (:space_key, :note_key, array_to_tsvector(string_to_array(:terms, ' ')));

-- name: unindex
DELETE FROM note_terms WHERE note_key = :note_key;

-- name: labelled
SELECT string_agg(note_key::text, ',') FROM note_labels
WHERE space_key = :space_key AND label IN (SELECT value FROM each_text(:labels));

-- name: postings
SELECT notes_having(quote_literal(t.value)::tsquery, :limit) FROM each_text(:terms) t ORDER BY t.key;

-- name: postings_from
SELECT notes_having((quote_literal(:term) || ':*')::tsquery, :limit);

-- name: of_keys
SELECT n.note_key, n.kind, n.id, n.text, n.importance, n.at, n.type, n.messages,
       (SELECT c.id FROM conversations c WHERE c.space_key = n.space_key AND c.conversation_key = n.conversation_key)
         AS conversation
FROM notes n WHERE n.space_key = :space_key AND n.note_key = ANY (ARRAY(SELECT value FROM each_number(:keys)));

-- name: put_vector
INSERT INTO note_vectors (space_key, model_key, note_key, scale, data)
VALUES (:space_key, :model_key, :note_key, :scale, :data)
ON CONFLICT DO NOTHING;

-- name: carry_vector
INSERT INTO note_vectors (space_key, model_key, note_key, scale, data)
SELECT space_key, model_key, :note_key, scale, data FROM note_vectors
WHERE note_key = :before AND model_key IN (SELECT model_key FROM embedding_models WHERE state = 'serving')
ON CONFLICT DO NOTHING;

-- name: unbuilt
SELECT n.note_key, n.text FROM notes n
WHERE NOT EXISTS (SELECT 1 FROM note_vectors v WHERE v.model_key = :model_key AND v.note_key = n.note_key)
ORDER BY n.note_key LIMIT :limit;
