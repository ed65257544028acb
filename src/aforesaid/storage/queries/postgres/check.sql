-- name: missing_terms
SELECT count(*) FROM chunks c JOIN messages m USING (space_key, message_key) WHERE m.role <> 'system'
  AND NOT EXISTS (SELECT 1 FROM chunk_terms t WHERE t.space_key = c.space_key AND t.chunk_key = c.chunk_key);

-- name: orphan_terms
SELECT t.space_key, t.chunk_key FROM chunk_terms t
WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.space_key = t.space_key AND c.chunk_key = t.chunk_key)
LIMIT nullif(:limit::bigint, -1);

-- name: next_chunks
SELECT c.chunk_key, c.message_key, c.start, c.stop, m.space_key, m.conversation_key, m.role, m.text
FROM chunks c JOIN messages m USING (space_key, message_key) WHERE m.role <> 'system'
  AND NOT EXISTS (SELECT 1 FROM chunk_terms t WHERE t.space_key = c.space_key AND t.chunk_key = c.chunk_key)
ORDER BY c.space_key, c.chunk_key
LIMIT :limit;  -- those that have been indexed are not met again, so no place is kept

-- name: has_terms
SELECT 1 FROM chunk_terms WHERE space_key = :space_key AND chunk_key = :chunk_key;

-- name: vector_messages
SELECT space_key, message_key FROM vectors UNION SELECT space_key, message_key FROM near;

-- name: unindexed_notes
SELECT note_key, space_key, kind, text FROM notes n
WHERE NOT EXISTS (SELECT 1 FROM note_terms t WHERE t.space_key = n.space_key AND t.note_key = n.note_key)
ORDER BY note_key LIMIT nullif(:limit::bigint, -1);

-- name: orphan_note_terms
SELECT t.note_key FROM note_terms t
WHERE NOT EXISTS (SELECT 1 FROM notes n WHERE n.space_key = t.space_key AND n.note_key = t.note_key)
LIMIT nullif(:limit::bigint, -1);

-- name: wrong_metadata
WITH records AS (
  SELECT space_key, 'message' AS record, message_key AS record_key, metadata FROM messages WHERE metadata IS NOT NULL
  UNION ALL
  SELECT space_key, 'conversation', conversation_key, metadata FROM conversations WHERE metadata IS NOT NULL),
expected AS (
  SELECT r.space_key, r.record, r.record_key, l.field, l.type, l.number, l.text
  FROM records r CROSS JOIN LATERAL values_in_metadata(r.metadata) l)
SELECT (SELECT count(*) FROM (SELECT * FROM expected EXCEPT SELECT * FROM metadata_values) missing)
     + (SELECT count(*) FROM (SELECT * FROM metadata_values EXCEPT SELECT * FROM expected) extra);

-- name: mend_metadata
DELETE FROM metadata_values;
SELECT store_metadata(space_key, 'message', message_key, metadata) FROM messages WHERE metadata IS NOT NULL;
SELECT store_metadata(space_key, 'conversation', conversation_key, metadata) FROM conversations
WHERE metadata IS NOT NULL;
