-- fragment: no_note
NOT EXISTS (SELECT 1 FROM notes n WHERE n.space_key = p.space_key AND n.kind = 'argument' AND n.id = p.id)

-- fragment: conversation_counts
SELECT space_key, conversation_key, count(*) AS messages, count(*) FILTER (WHERE role = 'user') AS turns,
         sum(tokens) AS tokens, max(seq) AS last
  FROM messages GROUP BY space_key, conversation_key

-- fragment: conversation_terms
SELECT m.space_key, m.conversation_key, count(*) AS chunks, sum(k.terms) AS terms
  FROM messages m JOIN chunks k USING (space_key, message_key)
  WHERE m.role <> 'system' GROUP BY m.space_key, m.conversation_key

-- name: messages
SELECT s.id AS space, c.id AS conversation, {message_columns} FROM messages m
LEFT JOIN conversations c ON c.space_key = m.space_key AND c.conversation_key = m.conversation_key
LEFT JOIN spaces s ON s.space_key = m.space_key
WHERE m.message_key > :after ORDER BY m.message_key LIMIT :limit;

-- name: unsealed
SELECT {message_columns} FROM messages m WHERE m.checksum IS NULL OR m.salience IS NULL ORDER BY m.message_key LIMIT :limit;

-- name: indexed_chunks
SELECT c.chunk_key, c.start, c.stop, m.space_key, m.conversation_key, m.message_key
FROM chunks c JOIN messages m ON m.space_key = c.space_key AND m.message_key = c.message_key
WHERE c.chunk_key > :after AND m.role <> 'system' ORDER BY c.chunk_key LIMIT :limit;

-- name: text
SELECT text FROM messages WHERE space_key = :space_key AND message_key = :message_key;

-- name: indexed_notes
SELECT note_key, space_key, kind, text FROM notes;

-- name: orphan_mentions
SELECT count(*) FROM mentions t
WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.message_key = t.message_key AND m.space_key = t.space_key);

-- name: remove_orphan_mentions
DELETE FROM mentions AS t
WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.message_key = t.message_key AND m.space_key = t.space_key);

-- name: all_block_targets
SELECT space_key, targets FROM vector_blocks;

-- name: awaited
SELECT target FROM jobs WHERE state IN ('queued', 'running', 'failed') AND kind = 'embed';

-- name: unreached
UPDATE embedding_models SET reached = 0;

-- name: failed_jobs
SELECT count(*) AS count, max(error) AS error FROM jobs WHERE state = 'failed';

-- name: late_jobs
SELECT count(*) FROM jobs WHERE state = 'running' AND due_at < :at;

-- name: unscrubbed
SELECT count(DISTINCT e.id) AS count, max(j.error) AS error FROM erasures e, jobs j
WHERE e.pending <> '[]' AND j.state IN ('queued', 'running') AND j.kind = 'scrub' AND j.error IS NOT NULL;

-- name: unnoted_episodes
SELECT space_key, episode_key FROM episodes p WHERE p.merged_into IS NULL AND {no_note episode};

-- name: unnoted_facts
SELECT space_key, fact_key FROM facts p WHERE p.status IN ('active', 'superseded') AND {no_note fact};

-- name: unnoted_items
SELECT p.space_key, {item_columns} FROM items p WHERE p.searched = 1 AND NOT EXISTS (
  SELECT 1 FROM notes n WHERE n.space_key = p.space_key AND n.kind = 'item' AND n.id = CAST(p.item_key AS text));

-- name: unnoted_pins
SELECT p.space_key, p.conversation_key, {pin_columns} FROM pins p WHERE {no_note pin};

-- name: unnoted_summaries
SELECT space_key, conversation_key FROM summaries p
WHERE p.status = 'completed' AND p.replaced_by IS NULL AND {no_note summary};

-- name: stale_conversations
SELECT count(*) FROM conversations c
LEFT JOIN ({conversation_counts}) t USING (space_key, conversation_key)
LEFT JOIN ({conversation_terms}) k USING (space_key, conversation_key)
WHERE c.messages <> coalesce(t.messages, 0) OR c.turns <> coalesce(t.turns, 0)
   OR c.tokens <> coalesce(t.tokens, 0) OR c.next_seq <= coalesce(t.last, -1)
   OR c.chunks <> coalesce(k.chunks, 0) OR c.terms <> coalesce(k.terms, 0);

-- name: mend_conversations
WITH t AS ({conversation_counts}), k AS ({conversation_terms})
UPDATE conversations AS c SET
  messages = coalesce(t.messages, 0), turns = coalesce(t.turns, 0), tokens = coalesce(t.tokens, 0),
  next_seq = {greatest}(c.next_seq, coalesce(t.last, -1) + 1),
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

-- name: orphan_note_vectors
SELECT DISTINCT v.note_key FROM note_vectors v
WHERE NOT EXISTS (SELECT 1 FROM notes n WHERE n.space_key = v.space_key AND n.note_key = v.note_key) LIMIT {limit};

-- name: unembedded_notes
SELECT note_key, space_key FROM notes n
WHERE NOT EXISTS (SELECT 1 FROM note_vectors v JOIN embedding_models m USING (model_key)
                  WHERE v.note_key = n.note_key AND m.state = 'serving')
  AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.state IN ('queued', 'running', 'failed') AND j.kind = 'note'
                  AND j.target = n.note_key)
  AND EXISTS (SELECT 1 FROM embedding_models WHERE state = 'serving') LIMIT {limit};

-- name: stray_notes
SELECT n.note_key FROM notes n WHERE (n.kind = 'pin' AND NOT EXISTS (
         SELECT 1 FROM pins p WHERE p.space_key = n.space_key AND p.id = n.id AND p.content = n.text
           AND p.importance = n.importance AND p.conversation_key = n.conversation_key))
   OR (n.kind = 'summary' AND NOT EXISTS (
         SELECT 1 FROM summaries p WHERE p.space_key = n.space_key AND p.id = n.id AND p.status = 'completed'
           AND p.replaced_by IS NULL AND p.text = n.text AND p.importance = n.importance
           AND p.conversation_key = n.conversation_key))
   OR (n.kind = 'fact' AND NOT EXISTS (
         SELECT 1 FROM facts p WHERE p.space_key = n.space_key AND p.id = n.id AND p.text = n.text
           AND p.importance = n.importance AND p.status = CASE WHEN n.current = 1 THEN 'active' ELSE 'superseded' END
           AND coalesce(p.valid_from = n.valid_from, p.valid_from IS NULL)
           AND p.valid_until IS NOT DISTINCT FROM n.valid_until))
   OR (n.kind = 'episode' AND NOT EXISTS (
         SELECT 1 FROM episodes p WHERE p.space_key = n.space_key AND p.id = n.id AND p.merged_into IS NULL
           AND n.text = p.title || CASE WHEN p.summary = '' THEN '' ELSE '
' || p.summary END
           AND p.significance = n.importance AND p.conversation_key = n.conversation_key))
   OR (n.kind = 'item' AND NOT EXISTS (
         SELECT 1 FROM items p WHERE p.space_key = n.space_key AND CAST(p.item_key AS text) = n.id AND p.searched = 1
           AND p.namespace = n.type));
