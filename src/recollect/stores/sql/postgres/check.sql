-- name: missing_terms
SELECT count(*) FROM chunks c JOIN messages m USING (space_key, message_key)
WHERE m.role <> 'system'
  AND NOT EXISTS (SELECT 1 FROM chunk_terms t WHERE t.space_key = c.space_key AND t.chunk_key = c.chunk_key);

-- name: orphan_terms
SELECT count(*) FROM chunk_terms t
WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.space_key = t.space_key AND c.chunk_key = t.chunk_key);

-- name: orphan_term_keys
SELECT t.space_key, t.chunk_key FROM chunk_terms t
WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.space_key = t.space_key AND c.chunk_key = t.chunk_key)
LIMIT nullif(:limit::bigint, -1);

-- name: next_chunks
SELECT c.chunk_key, c.message_key, c.start, c.stop, m.space_key, m.conversation_key, m.role, m.text
FROM chunks c JOIN messages m USING (space_key, message_key)
WHERE m.role <> 'system'
  AND NOT EXISTS (SELECT 1 FROM chunk_terms t WHERE t.space_key = c.space_key AND t.chunk_key = c.chunk_key)
ORDER BY c.space_key, c.chunk_key LIMIT :limit;  -- those that have been indexed are not met again, so no place is kept

-- name: has_terms
SELECT 1 FROM chunk_terms WHERE space_key = :space_key AND chunk_key = :chunk_key;

-- name: stale_conversations
SELECT count(*) FROM conversations c LEFT JOIN (
  SELECT space_key, conversation_key, count(*) AS messages, count(*) FILTER (WHERE role = 'user') AS turns,
         sum(tokens) AS tokens, max(seq) AS last
  FROM messages GROUP BY space_key, conversation_key) t USING (space_key, conversation_key)
LEFT JOIN (
  SELECT m.space_key, m.conversation_key, count(*) AS chunks, sum(k.terms) AS terms
  FROM messages m JOIN chunks k USING (space_key, message_key)
  WHERE m.role <> 'system' GROUP BY m.space_key, m.conversation_key) k USING (space_key, conversation_key)
WHERE c.messages <> coalesce(t.messages, 0) OR c.turns <> coalesce(t.turns, 0)
   OR c.tokens <> coalesce(t.tokens, 0) OR c.next_seq <= coalesce(t.last, -1)
   OR c.chunks <> coalesce(k.chunks, 0) OR c.terms <> coalesce(k.terms, 0);

-- name: mend_conversations
WITH t AS (
  SELECT space_key, conversation_key, count(*) AS messages, count(*) FILTER (WHERE role = 'user') AS turns,
         sum(tokens) AS tokens, max(seq) AS last
  FROM messages GROUP BY space_key, conversation_key),
k AS (
  SELECT m.space_key, m.conversation_key, count(*) AS chunks, sum(k.terms) AS terms
  FROM messages m JOIN chunks k USING (space_key, message_key)
  WHERE m.role <> 'system' GROUP BY m.space_key, m.conversation_key)
UPDATE conversations AS c SET
  messages = coalesce(t.messages, 0), turns = coalesce(t.turns, 0), tokens = coalesce(t.tokens, 0),
  next_seq = greatest(c.next_seq, coalesce(t.last, -1) + 1),
  chunks = coalesce(k.chunks, 0), terms = coalesce(k.terms, 0)
FROM conversations o LEFT JOIN t USING (space_key, conversation_key) LEFT JOIN k USING (space_key, conversation_key)
WHERE o.space_key = c.space_key AND o.conversation_key = c.conversation_key;

-- name: gaps
SELECT count(*) FROM (
  SELECT m.space_key, m.conversation_key, max(m.seq) AS last, count(*) AS messages
  FROM messages m GROUP BY m.space_key, m.conversation_key) t
WHERE t.last + 1 <> t.messages + (
  SELECT coalesce(sum(g.last_seq - g.first_seq + 1), 0) FROM gaps g
  WHERE g.space_key = t.space_key AND g.conversation_key = t.conversation_key AND g.last_seq < t.last);

-- name: vector_tables
SELECT unnest(ARRAY['vectors', 'vector_blocks', 'near']);

-- name: vector_messages
SELECT space_key, message_key FROM vectors UNION SELECT space_key, message_key FROM near;

-- name: unindexed_notes
SELECT note_key, space_key, text FROM notes n
WHERE NOT EXISTS (SELECT 1 FROM note_terms t WHERE t.space_key = n.space_key AND t.note_key = n.note_key)
ORDER BY note_key LIMIT nullif(:limit::bigint, -1);

-- name: orphan_note_terms
SELECT t.note_key FROM note_terms t
WHERE NOT EXISTS (SELECT 1 FROM notes n WHERE n.space_key = t.space_key AND n.note_key = t.note_key)
LIMIT nullif(:limit::bigint, -1);

-- name: orphan_note_vectors
SELECT DISTINCT v.note_key FROM note_vectors v
WHERE NOT EXISTS (SELECT 1 FROM notes n WHERE n.space_key = v.space_key AND n.note_key = v.note_key)
LIMIT nullif(:limit::bigint, -1);

-- name: unembedded_notes
SELECT note_key, space_key FROM notes n
WHERE NOT EXISTS (SELECT 1 FROM note_vectors v JOIN embedding_models m USING (model_key)
                  WHERE v.note_key = n.note_key AND m.state = 'serving')
  AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.state IN ('queued', 'running', 'failed') AND j.kind = 'note'
                  AND j.target = n.note_key)
  AND EXISTS (SELECT 1 FROM embedding_models WHERE state = 'serving') LIMIT nullif(:limit::bigint, -1);

-- name: stray_notes
SELECT n.note_key FROM notes n
WHERE (n.kind = 'pin' AND NOT EXISTS (
         SELECT 1 FROM pins p WHERE p.space_key = n.space_key AND p.id = n.id AND p.content = n.text
           AND p.importance = n.importance AND p.conversation_key = n.conversation_key))
   OR (n.kind = 'summary' AND NOT EXISTS (
         SELECT 1 FROM summaries p WHERE p.space_key = n.space_key AND p.id = n.id AND p.status = 'completed'
           AND p.replaced_by IS NULL AND p.text = n.text AND p.importance = n.importance AND p.conversation_key = n.conversation_key))
   OR (n.kind = 'fact' AND NOT EXISTS (
         SELECT 1 FROM facts p WHERE p.space_key = n.space_key AND p.id = n.id AND p.text = n.text
           AND p.importance = n.importance AND p.status = CASE WHEN n.current = 1 THEN 'active' ELSE 'superseded' END
           AND p.valid_from IS NOT DISTINCT FROM n.valid_from AND p.valid_until IS NOT DISTINCT FROM n.valid_until))
   OR (n.kind = 'episode' AND NOT EXISTS (
         SELECT 1 FROM episodes p WHERE p.space_key = n.space_key AND p.id = n.id AND p.merged_into IS NULL
           AND n.text = CASE WHEN p.summary = '' THEN p.title ELSE p.title || chr(10) || p.summary END
           AND p.significance = n.importance AND p.conversation_key = n.conversation_key));

-- name: note_pins
INSERT INTO notes (space_key, kind, id, conversation_key, text, importance, at, type, tags, messages,
                   valid_from, known_from, current)
SELECT space_key, 'pin', id, conversation_key, content, importance, created_at, type, '[]',
       CASE WHEN source_message_id IS NULL THEN '[]' ELSE json_build_array(source_message_id)::text END, created_at, created_at, 1
FROM pins p
WHERE NOT EXISTS (SELECT 1 FROM notes n WHERE n.space_key = p.space_key AND n.kind = 'pin' AND n.id = p.id);
