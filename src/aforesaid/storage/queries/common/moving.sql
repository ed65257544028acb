-- fragment: lineage_of
l.space_key = :space_key AND l.derived = :made AND l.derived_key = :key AND l.source = 'argument'

-- fragment: insert_lineage
INSERT INTO lineage (space_key, derived, derived_key, source, source_key)

-- name: fact
SELECT fact_key, updated_at FROM facts WHERE space_key = :space_key AND id = :id;

-- name: end
INSERT INTO closings (space_key, fact_key, by_key, at, status, valid_until, closed_until, corrected, undone_at)
{values};

-- name: episode
SELECT episode_key FROM episodes WHERE space_key = :space_key AND id = :id;

-- name: merge_episode
UPDATE episodes SET merged_into = (SELECT m.episode_key FROM episodes m WHERE m.space_key = :space_key AND m.id = :into)
WHERE space_key = :space_key AND id = :id;

-- name: summary
SELECT summary_key FROM summaries WHERE space_key = :space_key AND id = :id;

-- name: proofs
SELECT f.id, m.id AS message_id, e.quote, e.text, e.value, e.supports FROM {each_text}(:ids) k
{join_in_order} facts f ON f.space_key = :space_key AND f.id = k.value
{join_in_order} evidence e ON e.space_key = f.space_key AND e.fact_key = f.fact_key
{join_in_order} messages m ON m.space_key = e.space_key AND m.message_key = e.message_key
ORDER BY k.key, e.message_key;

-- name: ended
SELECT f.id, b.id AS by, c.at, c.status, c.valid_until, c.closed_until, c.corrected, c.undone_at
FROM {each_text}(:ids) k {join_in_order} facts f ON f.space_key = :space_key AND f.id = k.value
{join_in_order} closings c ON c.space_key = f.space_key AND c.fact_key = f.fact_key
{join_in_order} facts b ON b.space_key = c.space_key AND b.fact_key = c.by_key WHERE {live_fact b}
ORDER BY k.key, c.at, c.closing_key;

-- name: relations
SELECT f.id, f.id AS source, r.kind, t.id AS target, r.strength, r.created_at FROM {each_text}(:ids) k
{join_in_order} facts f ON f.space_key = :space_key AND f.id = k.value
{join_in_order} relations r ON r.space_key = f.space_key AND r.source_key = f.fact_key
{join_in_order} facts t ON t.space_key = r.space_key AND t.fact_key = r.target_key
WHERE {live_fact t} ORDER BY k.key, r.kind, r.target_key;

-- name: said_by_a_user
SELECT 1 FROM evidence e {join_in_order} messages m ON m.space_key = e.space_key AND m.message_key = e.message_key
WHERE e.space_key = :space_key AND e.fact_key = :fact_key AND m.role = 'user' LIMIT 1;

-- name: twins
SELECT DISTINCT f.fact_key, f.id, f.status FROM facts n
{join_in_order} evidence o ON o.space_key = n.space_key AND o.fact_key = n.fact_key
{join_in_order} evidence e ON e.space_key = o.space_key AND e.message_key = o.message_key
{join_in_order} facts f ON f.space_key = e.space_key AND f.fact_key = e.fact_key
WHERE n.space_key = :space_key AND n.fact_key = :fact_key AND f.fact_key <> n.fact_key AND f.method <> 'manual'
  AND f.subject_key = n.subject_key
  AND (f.text = n.text OR (f.attribute_key = n.attribute_key AND f.value_key = n.value_key));

-- name: take_evidence
UPDATE evidence AS e SET fact_key = :fact_key WHERE e.space_key = :space_key AND e.fact_key = :twin_key
  AND NOT EXISTS (SELECT 1 FROM evidence o WHERE o.space_key = :space_key AND o.fact_key = :fact_key
                  AND o.message_key = e.message_key);

-- name: take_decision
UPDATE facts AS f SET status = t.status, known_until = t.known_until, updated_at = t.updated_at, reason = t.reason,
                      withdrawn_from = t.withdrawn_from
FROM (SELECT status, known_until, updated_at, reason, withdrawn_from FROM facts WHERE space_key = :space_key AND fact_key = :twin_key) t
WHERE f.space_key = :space_key AND f.fact_key = :fact_key;

-- name: unend
DELETE FROM closings WHERE space_key = :space_key AND fact_key = :fact_key;

-- name: relate
INSERT INTO relations (space_key, source_key, kind, target_key, strength, created_at) {values} ON CONFLICT DO NOTHING;

-- name: episodes
SELECT {episode_columns}, i.id AS merged_into
FROM episodes e JOIN conversations c USING (space_key, conversation_key)
LEFT JOIN episodes i ON i.space_key = e.space_key AND i.episode_key = e.merged_into
WHERE e.space_key = :space_key AND e.conversation_key = :conversation_key AND {live_range e} ORDER BY e.episode_key;

-- name: episode_twins
SELECT episode_key, id FROM episodes WHERE {in_conversation} AND first_seq = :first_seq
  AND last_seq = :last_seq AND type = :type AND method = 'pattern' AND id <> :id;

-- name: drop_episode
DELETE FROM episodes WHERE space_key = :space_key AND episode_key = :episode_key;

-- name: summary_twins
SELECT id FROM summaries WHERE {in_conversation} AND kind = 'segment' AND status = 'completed'
  AND replaced_by IS NULL AND first_seq = :first_seq AND last_seq = :last_seq AND id <> :id;

-- name: from_messages
SELECT m.id FROM lineage l {join_in_order} messages m ON m.space_key = l.space_key AND m.message_key = l.source_key
WHERE {lineage_of message} ORDER BY l.source_key;

-- name: from_summaries
SELECT s.id FROM lineage l {join_in_order} summaries s ON s.space_key = l.space_key AND s.summary_key = l.source_key
WHERE {lineage_of summary} ORDER BY s.id;

-- name: from_facts
SELECT f.id FROM lineage l {join_in_order} facts f ON f.space_key = l.space_key AND f.fact_key = l.source_key
WHERE {lineage_of fact} ORDER BY l.source_key;

-- name: put_messages
{insert_lineage}
SELECT m.space_key, :made, :key, 'message', m.message_key
FROM {each_text}(:ids) k {join_in_order} messages m ON m.space_key = :space_key AND m.id = k.value
WHERE true ON CONFLICT DO NOTHING;

-- name: put_summaries
{insert_lineage}
SELECT s.space_key, :made, :key, 'summary', s.summary_key
FROM {each_text}(:ids) k {join_in_order} summaries s ON s.space_key = :space_key AND s.id = k.value
WHERE true ON CONFLICT DO NOTHING;

-- name: put_facts
{insert_lineage}
SELECT f.space_key, :made, :key, 'fact', f.fact_key
FROM {each_text}(:ids) k {join_in_order} facts f ON f.space_key = :space_key AND f.id = k.value
WHERE true ON CONFLICT DO NOTHING;

-- name: put_span_of_summary
{insert_lineage}
SELECT s.space_key, 'summary', s.summary_key, 'message', m.message_key
FROM summaries s {join_in_order} messages m ON m.space_key = s.space_key AND m.conversation_key = s.conversation_key
  AND m.seq BETWEEN s.first_seq AND s.last_seq
WHERE s.space_key = :space_key AND s.summary_key = :key
UNION ALL
SELECT s.space_key, 'summary', s.summary_key, 'summary', b.summary_key
FROM summaries s {join_in_order} summaries b ON b.space_key = s.space_key AND b.id = s.base_id
WHERE s.space_key = :space_key AND s.summary_key = :key ON CONFLICT DO NOTHING;

-- name: put_span_of_episode
{insert_lineage}
SELECT e.space_key, 'episode', e.episode_key, 'message', m.message_key
FROM episodes e {join_in_order} messages m ON m.space_key = e.space_key AND m.conversation_key = e.conversation_key
  AND m.seq BETWEEN e.first_seq AND e.last_seq
WHERE e.space_key = :space_key AND e.episode_key = :key ON CONFLICT DO NOTHING;

-- name: steps
SELECT s.record, coalesce(f.id, e.id) AS id, s.status, s.known_until, coalesce(g.id, i.id) AS "into", s.copied
FROM consolidation_steps s
LEFT JOIN facts f ON s.record = 'fact' AND f.space_key = s.space_key AND f.fact_key = s.record_key
LEFT JOIN facts g ON s.record = 'fact' AND g.space_key = s.space_key AND g.fact_key = s.into_key
LEFT JOIN episodes e ON s.record = 'episode' AND e.space_key = s.space_key AND e.episode_key = s.record_key
LEFT JOIN episodes i ON s.record = 'episode' AND i.space_key = s.space_key AND i.episode_key = s.into_key
WHERE s.space_key = :space_key AND s.consolidation_key = :consolidation_key AND coalesce(f.id, e.id) IS NOT NULL
  AND (s.into_key IS NULL OR coalesce(g.id, i.id) IS NOT NULL)
ORDER BY s.record, id;

-- name: message_ids
SELECT m.id FROM {each_number}(:keys) k
{join_in_order} messages m ON m.space_key = :space_key AND m.message_key = k.value ORDER BY m.message_key;

-- name: message_keys
SELECT m.message_key FROM {each_text}(:ids) k
{join_in_order} messages m ON m.space_key = :space_key AND m.id = k.value ORDER BY m.message_key;

-- name: keep_step
INSERT INTO consolidation_steps
  (space_key, consolidation_key, record, record_key, status, known_until, into_key, copied) {values}
ON CONFLICT DO NOTHING;
