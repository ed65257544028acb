-- name: missing_terms
SELECT count(*) FROM chunks c JOIN messages m USING (message_key)
WHERE m.role <> 'system' AND c.chunk_key NOT IN (SELECT id FROM chunk_terms_docsize);

-- name: orphan_terms
SELECT NULL AS space_key, id FROM chunk_terms_docsize WHERE id NOT IN (SELECT chunk_key FROM chunks) LIMIT :limit;

-- name: next_chunks
SELECT c.chunk_key, c.message_key, c.start, c.stop, m.space_key, m.conversation_key, m.role, m.text FROM chunks c
JOIN messages m USING (message_key) WHERE c.chunk_key > :after ORDER BY c.chunk_key LIMIT :limit;

-- name: has_terms
SELECT 1 FROM chunk_terms_docsize WHERE id = :chunk_key;

-- name: vector_messages
SELECT DISTINCT space_key, message_key FROM vectors;

-- name: unindexed_notes
SELECT note_key, space_key, kind, text FROM notes WHERE note_key NOT IN (SELECT id FROM note_terms_docsize) LIMIT :limit;

-- name: orphan_note_terms
SELECT id FROM note_terms_docsize WHERE id NOT IN (SELECT note_key FROM notes) LIMIT :limit;

-- name: wrong_metadata
WITH RECURSIVE tree (space_key, record, record_key, field, type, value) AS (
  SELECT m.space_key, 'message', m.message_key, e.key, e.type, e.value FROM messages m, json_each(m.metadata) e
  UNION ALL
  SELECT c.space_key, 'conversation', c.conversation_key, e.key, e.type, e.value
  FROM conversations c, json_each(c.metadata) e
  UNION ALL
  SELECT t.space_key, t.record, t.record_key,
         CASE t.type WHEN 'object' THEN t.field || '.' || e.key ELSE t.field END, e.type, e.value
  FROM tree t JOIN json_each(t.value) e WHERE t.type IN ('object', 'array')),
expected AS (
  SELECT space_key, record, record_key, substr(field, 1, 200),
         CASE type WHEN 'integer' THEN 'number' WHEN 'real' THEN 'number' WHEN 'true' THEN 'boolean'
                   WHEN 'false' THEN 'boolean' ELSE type END,
         CAST(CASE WHEN type IN ('integer', 'real', 'true', 'false') THEN value ELSE 0 END AS real),
         CASE type WHEN 'text' THEN substr(value, 1, 200) ELSE '' END
  FROM tree)
SELECT (SELECT count(*) FROM (SELECT * FROM expected EXCEPT SELECT * FROM metadata_values))
     + (SELECT count(*) FROM (SELECT * FROM metadata_values EXCEPT SELECT * FROM expected));

-- name: mend_metadata
DELETE FROM metadata_values;
INSERT INTO metadata_texts
SELECT space_key, 'message', message_key, metadata FROM messages WHERE metadata IS NOT NULL
UNION ALL
SELECT space_key, 'conversation', conversation_key, metadata FROM conversations WHERE metadata IS NOT NULL;
