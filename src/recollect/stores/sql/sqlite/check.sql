-- name: missing_terms
SELECT count(*) FROM chunks c JOIN messages m USING (message_key)
WHERE m.role <> 'system' AND c.chunk_key NOT IN (SELECT id FROM chunk_terms_docsize);

-- name: orphan_terms
SELECT count(*) FROM chunk_terms_docsize WHERE id NOT IN (SELECT chunk_key FROM chunks);

-- name: orphan_term_keys
SELECT NULL AS space_key, id FROM chunk_terms_docsize WHERE id NOT IN (SELECT chunk_key FROM chunks) LIMIT :limit;

-- name: next_chunks
SELECT c.chunk_key, c.message_key, c.start, c.stop, m.space_key, m.conversation_key, m.role, m.text
FROM chunks c JOIN messages m USING (message_key) WHERE c.chunk_key > :after ORDER BY c.chunk_key LIMIT :limit;

-- name: has_terms
SELECT 1 FROM chunk_terms_docsize WHERE id = :chunk_key;

-- name: stale_conversations
SELECT count(*) FROM conversations c LEFT JOIN (
  SELECT conversation_key, count(*) AS messages, sum(role = 'user') AS turns, sum(tokens) AS tokens, max(seq) AS last
  FROM messages GROUP BY conversation_key) t USING (conversation_key)
LEFT JOIN (
  SELECT m.conversation_key, count(*) AS chunks, sum(k.terms) AS terms
  FROM messages m JOIN chunks k USING (message_key) WHERE m.role <> 'system' GROUP BY m.conversation_key) k
  USING (conversation_key)
WHERE c.messages <> coalesce(t.messages, 0) OR c.turns <> coalesce(t.turns, 0)
   OR c.tokens <> coalesce(t.tokens, 0) OR c.next_seq <= coalesce(t.last, -1)
   OR c.chunks <> coalesce(k.chunks, 0) OR c.terms <> coalesce(k.terms, 0);

-- name: mend_conversations
WITH t AS (
  SELECT conversation_key, count(*) AS messages, sum(role = 'user') AS turns, sum(tokens) AS tokens, max(seq) AS last
  FROM messages GROUP BY conversation_key),
k AS (
  SELECT m.conversation_key, count(*) AS chunks, sum(c.terms) AS terms
  FROM messages m JOIN chunks c USING (message_key) WHERE m.role <> 'system' GROUP BY m.conversation_key)
UPDATE conversations AS c SET
  messages = coalesce((SELECT messages FROM t WHERE t.conversation_key = c.conversation_key), 0),
  turns = coalesce((SELECT turns FROM t WHERE t.conversation_key = c.conversation_key), 0),
  tokens = coalesce((SELECT tokens FROM t WHERE t.conversation_key = c.conversation_key), 0),
  next_seq = max(next_seq, coalesce((SELECT last FROM t WHERE t.conversation_key = c.conversation_key), -1) + 1),
  chunks = coalesce((SELECT chunks FROM k WHERE k.conversation_key = c.conversation_key), 0),
  terms = coalesce((SELECT terms FROM k WHERE k.conversation_key = c.conversation_key), 0);

-- name: gaps
SELECT count(*) FROM (
  SELECT m.conversation_key FROM messages m GROUP BY m.conversation_key
  HAVING max(m.seq) + 1 <> count(*) + (
    SELECT total(g.last_seq - g.first_seq + 1) FROM gaps g
    WHERE g.conversation_key = m.conversation_key AND g.last_seq < max(m.seq)));

-- name: vector_tables
VALUES ('vectors'), ('vector_blocks');

-- name: vector_messages
SELECT DISTINCT space_key, message_key FROM vectors;

-- name: unindexed_notes
SELECT note_key, space_key, text FROM notes WHERE note_key NOT IN (SELECT id FROM note_terms_docsize) LIMIT :limit;

-- name: orphan_note_terms
SELECT id FROM note_terms_docsize WHERE id NOT IN (SELECT note_key FROM notes) LIMIT :limit;

-- name: orphan_note_vectors
SELECT DISTINCT note_key FROM note_vectors WHERE note_key NOT IN (SELECT note_key FROM notes) LIMIT :limit;

-- name: unembedded_notes
SELECT note_key, space_key FROM notes n
WHERE NOT EXISTS (SELECT 1 FROM note_vectors v JOIN embedding_models m USING (model_key)
                  WHERE v.note_key = n.note_key AND m.state = 'serving')
  AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.state IN ('queued', 'running', 'failed') AND j.kind = 'note'
                  AND j.target = n.note_key)
  AND EXISTS (SELECT 1 FROM embedding_models WHERE state = 'serving') LIMIT :limit;

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
           AND p.importance = n.importance AND p.status = iif(n.current, 'active', 'superseded')
           AND p.valid_from IS n.valid_from AND p.valid_until IS n.valid_until))
   OR (n.kind = 'episode' AND NOT EXISTS (
         SELECT 1 FROM episodes p WHERE p.space_key = n.space_key AND p.id = n.id AND p.merged_into IS NULL
           AND n.text = iif(p.summary = '', p.title, p.title || char(10) || p.summary)
           AND p.significance = n.importance AND p.conversation_key = n.conversation_key));

-- name: note_pins
INSERT INTO notes (space_key, kind, id, conversation_key, text, importance, at, type, tags, messages,
                   valid_from, known_from, current)
SELECT space_key, 'pin', id, conversation_key, content, importance, created_at, type, '[]',
       iif(source_message_id IS NULL, '[]', json_array(source_message_id)), created_at, created_at, 1
FROM pins p
WHERE NOT EXISTS (SELECT 1 FROM notes n WHERE n.space_key = p.space_key AND n.kind = 'pin' AND n.id = p.id);
