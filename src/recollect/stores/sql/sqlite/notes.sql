-- name: label
INSERT OR IGNORE INTO note_labels (space_key, label, note_key) VALUES (:space_key, :label, :note_key);

-- name: index
INSERT INTO note_terms (rowid, terms) VALUES (:note_key, :terms);

-- name: unindex
DELETE FROM note_terms WHERE rowid = :note_key;

-- name: labelled
SELECT group_concat(note_key) FROM note_labels
WHERE space_key = :space_key AND label IN (SELECT value FROM json_each(:labels));

-- name: postings
SELECT (SELECT group_concat(doc) FROM (SELECT doc FROM note_postings WHERE term = t.value LIMIT :limit))
FROM json_each(:terms) t ORDER BY t.key;

-- name: postings_from
SELECT group_concat(doc) FROM (SELECT doc FROM note_postings WHERE term >= :term AND term < :stop LIMIT :limit);

-- name: of_keys
SELECT n.note_key, n.kind, n.id, n.text, n.importance, n.at, n.type, n.messages, c.id AS conversation
FROM json_each(:keys) k CROSS JOIN notes n ON n.note_key = k.value
LEFT JOIN conversations c ON c.conversation_key = n.conversation_key
WHERE n.space_key = :space_key;

-- name: put_vector
INSERT OR IGNORE INTO note_vectors (space_key, model_key, note_key, scale, data)
VALUES (:space_key, :model_key, :note_key, :scale, :data);

-- name: carry_vector
INSERT OR IGNORE INTO note_vectors (space_key, model_key, note_key, scale, data)
SELECT space_key, model_key, :note_key, scale, data FROM note_vectors
WHERE note_key = :before AND model_key IN (SELECT model_key FROM embedding_models WHERE state = 'serving');

-- name: unbuilt
SELECT note_key, text FROM notes
WHERE note_key > (SELECT coalesce(max(note_key), 0) FROM note_vectors WHERE model_key = :model_key)
ORDER BY note_key LIMIT :limit;
