-- name: insert
INSERT INTO notes (space_key, kind, id, conversation_key, text, importance, at, type, category, tags, messages,
                   valid_from, valid_until, known_from, known_until, closed_at, current) {values}
RETURNING note_key;

-- name: find
SELECT note_key, conversation_key, text, importance, at, type, category, tags, messages,
       valid_from, valid_until, known_from, known_until, closed_at, current
FROM notes WHERE space_key = :space_key AND kind = :kind AND id = :id;

-- name: delete
DELETE FROM notes WHERE note_key = :note_key;

-- name: of_conversation
SELECT note_key FROM notes WHERE {in_conversation};

-- name: of_space
SELECT note_key FROM notes WHERE space_key = :space_key;

-- name: directory
SELECT note_key, kind, conversation_key, at, importance, type, valid_from, valid_until, known_from, known_until,
       closed_at, current
FROM notes WHERE space_key = :space_key AND note_key > :after ORDER BY note_key;

-- name: text
SELECT note_key, space_key, text FROM notes WHERE note_key = :note_key;

-- name: has_vector
SELECT 1 FROM note_vectors
WHERE note_key = :note_key AND model_key IN (SELECT model_key FROM embedding_models WHERE state = 'serving');

-- name: remove_vectors
DELETE FROM note_vectors WHERE note_key = :note_key;

-- name: vectors
SELECT vector_key, note_key, scale, data FROM note_vectors
WHERE space_key = :space_key AND model_key = :model_key AND vector_key > :after ORDER BY vector_key LIMIT :limit;

-- name: sweep
DELETE FROM note_vectors WHERE vector_key IN (
  SELECT vector_key FROM note_vectors
  WHERE model_key IN (SELECT model_key FROM embedding_models WHERE state = 'retired') LIMIT :limit);

-- name: clear
DELETE FROM note_vectors WHERE model_key = :model_key;

-- name: label
INSERT INTO note_labels (space_key, label, note_key) {values} ON CONFLICT DO NOTHING;

-- name: labelled
SELECT string_agg(CAST(note_key AS text), ',') AS keys FROM note_labels
WHERE space_key = :space_key AND label IN (SELECT value FROM {each_text}(:labels));

-- name: of_keys
SELECT n.note_key, n.kind, n.id, n.text, n.importance, n.at, n.type, n.messages,
       (SELECT c.id FROM conversations c WHERE c.space_key = n.space_key AND c.conversation_key = n.conversation_key)
         AS conversation
FROM notes n WHERE {unindexed n.space_key} = :space_key AND n.note_key {among keys};

-- name: put_vector
INSERT INTO note_vectors (space_key, model_key, note_key, scale, data) {values} ON CONFLICT DO NOTHING;

-- name: carry_vector
INSERT INTO note_vectors (space_key, model_key, note_key, scale, data)
SELECT space_key, model_key, :note_key, scale, data FROM note_vectors
WHERE note_key = :before AND model_key IN (SELECT model_key FROM embedding_models WHERE state = 'serving')
ON CONFLICT DO NOTHING;

-- name: shared
SELECT n.note_key FROM notes n WHERE n.space_key = :space_key AND n.conversation_key = :conversation_key AND (
  n.kind = 'summary' AND EXISTS (SELECT 1 FROM summaries s WHERE s.space_key = n.space_key AND s.id = n.id
                                   AND s.last_seq <= :last_seq)
  OR n.kind = 'episode' AND EXISTS (SELECT 1 FROM episodes e WHERE e.space_key = n.space_key AND e.id = n.id
                                      AND e.last_seq <= :last_seq)
  OR n.kind = 'pin' AND EXISTS (SELECT 1 FROM pins p WHERE p.space_key = n.space_key AND p.id = n.id AND {shared_pin})
  OR n.kind = 'fact' AND EXISTS (SELECT 1 FROM facts f
       {join_in_order} evidence v ON v.space_key = f.space_key AND v.fact_key = f.fact_key
       {join_in_order} messages m ON m.space_key = v.space_key AND m.message_key = v.message_key
       WHERE f.space_key = n.space_key AND f.id = n.id AND m.conversation_key = n.conversation_key
         AND m.seq <= :last_seq));
