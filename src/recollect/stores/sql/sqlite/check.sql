-- name: tables
SELECT name FROM sqlite_master WHERE type = 'table';

-- name: missing_terms
SELECT count(*) FROM chunks c JOIN messages m USING (message_key)
WHERE m.role <> 'system' AND c.chunk_key NOT IN (SELECT id FROM chunk_terms_docsize);

-- name: orphan_terms
SELECT count(*) FROM chunk_terms_docsize WHERE id NOT IN (SELECT chunk_key FROM chunks);

-- name: orphan_term_keys
SELECT id FROM chunk_terms_docsize WHERE id NOT IN (SELECT chunk_key FROM chunks) LIMIT :limit;

-- name: next_chunks
SELECT c.chunk_key, c.message_key, c.start, c.stop, m.space_key, m.conversation_key, m.role, m.text
FROM chunks c JOIN messages m USING (message_key) WHERE c.chunk_key > :after ORDER BY c.chunk_key LIMIT :limit;

-- name: has_terms
SELECT 1 FROM chunk_terms_docsize WHERE id = :chunk_key;

-- name: stale_spaces
SELECT count(*) FROM spaces s JOIN (
  SELECT m.space_key, count(*) AS chunks, total(c.terms) AS terms
  FROM messages m JOIN chunks c USING (message_key) WHERE m.role <> 'system' GROUP BY m.space_key) t USING (space_key)
WHERE s.chunks <> t.chunks OR s.terms <> t.terms;

-- name: mend_spaces
UPDATE spaces SET
  chunks = coalesce((SELECT count(*) FROM messages m JOIN chunks c USING (message_key)
            WHERE m.space_key = spaces.space_key AND m.role <> 'system'), 0),
  terms = coalesce((SELECT sum(c.terms) FROM messages m JOIN chunks c USING (message_key)
           WHERE m.space_key = spaces.space_key AND m.role <> 'system'), 0);

-- name: stale_conversations
SELECT count(*) FROM conversations c LEFT JOIN (
  SELECT conversation_key, count(*) AS messages, sum(role = 'user') AS turns, sum(tokens) AS tokens, max(seq) AS last
  FROM messages GROUP BY conversation_key) t USING (conversation_key)
WHERE c.messages <> coalesce(t.messages, 0) OR c.turns <> coalesce(t.turns, 0)
   OR c.tokens <> coalesce(t.tokens, 0) OR c.next_seq <= coalesce(t.last, -1);

-- name: mend_conversations
UPDATE conversations SET (messages, turns, tokens, next_seq) = (
  SELECT count(*), coalesce(sum(role = 'user'), 0), coalesce(sum(tokens), 0),
         max(conversations.next_seq, coalesce(max(seq), -1) + 1)
  FROM messages m WHERE m.conversation_key = conversations.conversation_key);

-- name: gaps
SELECT count(*) FROM (
  SELECT conversation_key FROM messages GROUP BY conversation_key HAVING max(seq) + 1 <> count(*));

-- name: embeddable
SELECT message_key FROM messages WHERE role <> 'system' AND first_chunk IS NOT NULL;

-- name: tail_messages
SELECT DISTINCT message_key FROM vectors WHERE model_key = :model_key;

-- name: block_targets
SELECT targets FROM vector_blocks WHERE model_key = :model_key;

-- name: vector_messages
SELECT DISTINCT space_key, message_key FROM vectors;

-- name: all_block_targets
SELECT space_key, targets FROM vector_blocks;

-- name: awaited
SELECT message_key FROM jobs WHERE state IN ('queued', 'running', 'failed') AND kind = 'embed';

-- name: owner
SELECT space_key, conversation_key FROM messages WHERE message_key = :message_key;

-- name: unreached
UPDATE embedding_models SET reached = 0;

-- name: failed_jobs
SELECT count(*), max(error) FROM jobs WHERE state = 'failed';

-- name: late_jobs
SELECT count(*) FROM jobs WHERE state = 'running' AND due_at < :at;
