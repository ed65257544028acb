-- name: of_conversation
SELECT message_key, conversation_key, seq, id, role, text, tokens, first_chunk, last_chunk
FROM messages WHERE conversation_key = :conversation_key ORDER BY seq;

-- name: before
SELECT m.message_key, m.conversation_key, m.seq, m.id, m.role, m.text, m.tokens, m.first_chunk, m.last_chunk
FROM (SELECT message_key FROM messages INDEXED BY messages_directory
      WHERE space_key = :space_key AND created_at < :before) k
CROSS JOIN messages m USING (message_key);

-- name: emptied
SELECT c.conversation_key, c.id FROM conversations c
WHERE c.space_key = :space_key
  AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.conversation_key = c.conversation_key AND m.created_at >= :before)
  AND (c.updated_at < :before OR c.messages > 0
       AND NOT EXISTS (SELECT 1 FROM pins p WHERE p.conversation_key = c.conversation_key AND p.created_at >= :before));

-- name: delete_message
DELETE FROM messages WHERE message_key = :message_key;

-- name: gap
INSERT OR IGNORE INTO gaps (conversation_key, first_seq, last_seq) VALUES (:conversation_key, :first_seq, :last_seq);

-- name: last_before
SELECT max(seq) FROM (
  SELECT seq FROM messages WHERE conversation_key = :conversation_key AND seq < :seq
  UNION ALL SELECT last_seq FROM gaps WHERE conversation_key = :conversation_key AND first_seq < :seq);

-- name: recount
UPDATE conversations AS c SET (messages, turns, tokens, chunks, terms) = (
  SELECT count(*), total(role = 'user'), total(tokens),
         total((SELECT count(*) FROM chunks k WHERE m.role <> 'system'
                AND k.chunk_key BETWEEN m.first_chunk AND m.last_chunk)),
         total((SELECT total(k.terms) FROM chunks k WHERE m.role <> 'system'
                AND k.chunk_key BETWEEN m.first_chunk AND m.last_chunk))
  FROM messages m WHERE m.conversation_key = c.conversation_key)
WHERE c.conversation_key = :conversation_key;

-- name: weight
SELECT count(*), total(terms) FROM chunks WHERE chunk_key BETWEEN :first_chunk AND :last_chunk;

-- name: seqs
SELECT seq FROM messages WHERE conversation_key = :conversation_key AND seq BETWEEN :first_seq AND :last_seq;

-- name: summary
SELECT summary_key, conversation_key, id, first_seq, last_seq, true FROM summaries WHERE summary_key = :key;

-- name: episode
SELECT episode_key, conversation_key, id, first_seq, last_seq, method <> 'manual' FROM episodes WHERE episode_key = :key;

-- name: episodes_over
SELECT episode_key FROM episodes
WHERE conversation_key = :conversation_key AND first_seq <= :seq AND last_seq >= :seq;

-- name: pin_marks
DELETE FROM pin_marks
WHERE conversation_key = :conversation_key AND source_message_id = :id
  AND mark NOT IN (SELECT value FROM json_each(:marks));

-- name: audited
SELECT count(*) FROM audit
WHERE space_key = :space_key AND (detail ->> 'conversation' IN (SELECT value FROM json_each(:conversations))
                                  OR detail ->> 'message' IN (SELECT value FROM json_each(:messages)));

-- name: summaries_over
SELECT summary_key FROM summaries
WHERE conversation_key = :conversation_key AND first_seq <= :seq AND last_seq >= :seq;

-- name: delete_pin
DELETE FROM pins WHERE pin_key = :pin_key;

-- name: posted
SELECT 1 FROM chunk_postings WHERE term = :term LIMIT 1;

-- name: delete_receipt
DELETE FROM receipts WHERE receipt_key = :receipt_key;

-- name: quiet_jobs
UPDATE jobs SET error = NULL
WHERE state IN ('queued', 'running', 'failed') AND error IS NOT NULL AND (space_key = :space_key OR space_key IS NULL);

-- name: rewrite
UPDATE messages SET text = :text, parts = :parts, importance = :importance, tokens = :tokens,
                    first_chunk = :first_chunk, last_chunk = :last_chunk
WHERE message_key = :message_key;

-- name: facts
SELECT f.fact_key, f.id FROM json_each(:keys) k CROSS JOIN facts f ON f.fact_key = k.value;

-- name: facts_by_hand
SELECT fact_key, id FROM facts f WHERE space_key = :space_key AND (:everything OR created_at < :before)
  AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.space_key = :space_key AND e.fact_key = f.fact_key);

-- name: read_again
UPDATE progress SET reached = :reached
WHERE conversation_key = :conversation_key AND reached > :reached
  AND (:learn OR step NOT IN ('facts', 'learn', 'narrate'));

-- name: begin_again
DELETE FROM progress
WHERE conversation_key = :conversation_key AND (:learn OR step NOT IN ('facts', 'learn', 'narrate'));

-- name: narrate_again
UPDATE progress SET reached = :reached
WHERE conversation_key = :conversation_key AND step = 'narrate' AND reached > :reached;

-- name: narrate_anew
DELETE FROM progress WHERE conversation_key = :conversation_key AND step = 'narrate';
