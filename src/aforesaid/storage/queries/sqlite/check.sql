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
SELECT note_key, space_key, text FROM notes WHERE note_key NOT IN (SELECT id FROM note_terms_docsize) LIMIT :limit;

-- name: orphan_note_terms
SELECT id FROM note_terms_docsize WHERE id NOT IN (SELECT note_key FROM notes) LIMIT :limit;
