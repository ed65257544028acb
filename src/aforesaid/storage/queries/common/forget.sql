-- fragment: erased_message_columns
message_key, conversation_key, seq, id, role, text, tokens, first_chunk, last_chunk

-- fragment: not_of_facts
step NOT IN ('facts', 'learn', 'narrate', 'records') AND substr(step, 1, 6) <> 'facts/'

-- name: message
SELECT {erased_message_columns} FROM messages WHERE space_key = :space_key AND id = :id;

-- name: conversations
SELECT conversation_key, id FROM conversations WHERE space_key = :space_key;

-- name: conversation
SELECT conversation_key, id FROM conversations WHERE space_key = :space_key AND id = :id;

-- name: pins
SELECT pin_key, conversation_key, id, content, source_message_id, created_at FROM pins WHERE space_key = :space_key;

-- name: profile_from
DELETE FROM profiles WHERE space_key = :space_key AND message_id = :id;

-- name: receipts
SELECT receipt_key, id, conversation, at FROM receipts WHERE space_key = :space_key;

-- name: receipt_bodies
SELECT id, body, messages FROM receipts WHERE space_key = :space_key AND id IN (SELECT value FROM {each_text}(:ids));

-- name: retrievals
SELECT count(*) FROM retrievals WHERE space_key = :space_key;

-- name: titles
SELECT id, coalesce(title, '') || ' ' || coalesce(outcome, '') || ' ' || coalesce(metadata, '') AS words
FROM conversations WHERE space_key = :space_key;

-- name: fact
SELECT fact_key, text, (SELECT count(*) FROM evidence e WHERE e.space_key = :space_key AND e.fact_key = f.fact_key)
  AS proofs
FROM facts f WHERE f.space_key = :space_key AND f.id = :id;

-- name: of_conversation
SELECT {erased_message_columns} FROM messages WHERE {in_conversation} ORDER BY seq;

-- name: of_chunks
SELECT {erased_message_columns} FROM messages WHERE space_key = :space_key AND message_key IN (
  SELECT c.message_key FROM {each_number}(:chunks) k
  {join_in_order} chunks c ON c.space_key = :space_key AND c.chunk_key = k.value);

-- name: derived_texts
SELECT 'fact' AS kind, fact_key AS record_key, text FROM facts WHERE space_key = :space_key
UNION ALL SELECT 'summary', summary_key, text FROM summaries WHERE space_key = :space_key
UNION ALL SELECT 'episode', episode_key, title || ' ' || coalesce(outcome, '') FROM episodes
  WHERE space_key = :space_key;

-- name: quotes
SELECT quote, message_key FROM evidence WHERE space_key = :space_key AND fact_key = :fact_key;

-- name: by_keys
SELECT {erased_message_columns} FROM messages WHERE space_key = :space_key
  AND message_key IN (SELECT value FROM {each_number}(:messages));

-- name: range
SELECT c.id AS conversation, {message_columns} FROM messages m JOIN conversations c USING (space_key, conversation_key)
WHERE m.space_key = :space_key AND m.conversation_key = :conversation_key AND m.seq BETWEEN :first AND :last
ORDER BY m.seq;

-- name: newest
SELECT c.id AS conversation, {message_columns} FROM messages m JOIN conversations c USING (space_key, conversation_key)
WHERE m.space_key = :space_key AND m.conversation_key = :conversation_key AND {live m} ORDER BY m.seq DESC LIMIT 1;

-- name: before
SELECT {erased_message_columns} FROM messages WHERE space_key = :space_key AND created_at < :before
ORDER BY message_key;

-- name: emptied
SELECT c.conversation_key, c.id FROM conversations c WHERE c.space_key = :space_key
  AND NOT EXISTS (SELECT 1 FROM messages m WHERE {unindexed m.space_key} = c.space_key
                  AND m.conversation_key = c.conversation_key AND m.created_at >= :before)
  AND (c.updated_at < :before OR c.messages > 0
       AND NOT EXISTS (SELECT 1 FROM pins p WHERE p.space_key = :space_key
                       AND p.conversation_key = c.conversation_key AND p.created_at >= :before));

-- name: delete_message
DELETE FROM messages WHERE space_key = :space_key AND message_key = :message_key;

-- name: gap
INSERT INTO gaps (space_key, conversation_key, first_seq, last_seq) {values} ON CONFLICT DO NOTHING;

-- name: last_before
SELECT max(seq) FROM (
  SELECT seq FROM messages WHERE {in_conversation} AND seq < :seq
  UNION ALL SELECT last_seq FROM gaps WHERE {in_conversation} AND first_seq < :seq) t;

-- name: recount
UPDATE conversations AS c SET (messages, turns, tokens) = (
    SELECT count(*), count(*) FILTER (WHERE m.role = 'user'), coalesce(sum(m.tokens), 0)
    FROM messages m WHERE {unindexed m.space_key} = c.space_key AND m.conversation_key = c.conversation_key),
  (chunks, terms) = (
    SELECT count(*), coalesce(sum(k.terms), 0)
    FROM messages m
    {join_in_order} chunks k ON k.space_key = m.space_key AND k.chunk_key BETWEEN m.first_chunk AND m.last_chunk
    WHERE {unindexed m.space_key} = c.space_key AND m.conversation_key = c.conversation_key AND m.role <> 'system')
WHERE c.space_key = :space_key AND c.conversation_key = :conversation_key;

-- name: summary
SELECT summary_key, conversation_key, id, first_seq, last_seq, true AS automatic FROM summaries
WHERE space_key = :space_key AND summary_key = :key;

-- name: episode
SELECT episode_key, conversation_key, id, first_seq, last_seq, method <> 'manual' AS automatic FROM episodes
WHERE space_key = :space_key AND episode_key = :key;

-- name: episodes_over
SELECT episode_key FROM episodes WHERE {in_conversation} AND first_seq <= :seq AND last_seq >= :seq;

-- name: pin_marks
DELETE FROM pin_marks WHERE {in_conversation} AND source_message_id = :id
  AND mark NOT IN (SELECT value FROM {each_text}(:marks));

-- name: audited
SELECT count(*) AS count FROM audit WHERE space_key = :space_key
  AND (({json detail} ->> 'conversation') IN (SELECT value FROM {each_text}(:conversations))
       OR ({json detail} ->> 'message') IN (SELECT value FROM {each_text}(:messages)));

-- name: summaries_over
SELECT summary_key FROM summaries WHERE {in_conversation} AND first_seq <= :seq AND last_seq >= :seq;

-- name: delete_pin
DELETE FROM pins WHERE space_key = :space_key AND pin_key = :pin_key;

-- name: delete_receipt
DELETE FROM receipts WHERE space_key = :space_key AND receipt_key = :receipt_key;

-- name: quiet_jobs
UPDATE jobs SET error = NULL
WHERE state IN ('queued', 'running', 'failed') AND error IS NOT NULL AND space_key IN (0, :space_key);

-- name: rewrite
UPDATE messages SET text = :text, parts = :parts, importance = :importance, tokens = :tokens,
                    first_chunk = :first_chunk, last_chunk = :last_chunk, metadata = :metadata, raw = :raw
WHERE space_key = :space_key AND message_key = :message_key;

-- name: facts
SELECT f.fact_key, f.id FROM {each_number}(:keys) k
{join_in_order} facts f ON f.space_key = :space_key AND f.fact_key = k.value;

-- name: facts_by_hand
SELECT fact_key, id FROM facts f WHERE space_key = :space_key AND (:everything <> 0 OR created_at < :before)
  AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.space_key = :space_key AND e.fact_key = f.fact_key);

-- name: read_again
UPDATE progress SET reached = :reached WHERE {in_conversation} AND reached > :reached
  AND (:learn <> 0 OR ({not_of_facts}));

-- name: begin_again
DELETE FROM progress WHERE {in_conversation}
  AND (:learn <> 0 OR ({not_of_facts}));

-- name: narrate_again
UPDATE progress SET reached = :reached WHERE {in_conversation} AND step = 'narrate' AND reached > :reached;

-- name: narrate_anew
DELETE FROM progress WHERE {in_conversation} AND step = 'narrate';
