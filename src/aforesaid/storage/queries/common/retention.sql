-- A session gives `:now` to every query that names it: the time of the clock, when the session first needs it.
-- The fragments about derived records read no message while nothing has expired in the space. Until what has expired is
-- erased, a receipt from before its expiry is hidden, because it may quote it.
-- fragment: live
(argument.expires_at IS NULL OR argument.expires_at > :now)

-- fragment: with_expired
FROM spaces d {join_in_order} messages x ON x.space_key = d.space_key AND x.expires_at <= :now
              WHERE d.space_key = argument.space_key AND d.expires_at <= :now

-- fragment: live_range
NOT EXISTS (SELECT 1 {with_expired argument} AND x.conversation_key = argument.conversation_key
              AND x.seq BETWEEN argument.first_seq AND argument.last_seq)

-- fragment: live_source
NOT EXISTS (SELECT 1 {with_expired argument} AND x.id = argument.source_message_id)

-- fragment: live_fact
(argument.expires_at IS NULL OR argument.expires_at > :now)
  AND NOT EXISTS (SELECT 1 FROM spaces d
                  {join_in_order} evidence y ON y.space_key = d.space_key AND y.fact_key = argument.fact_key
                  {join_in_order} messages x ON x.space_key = y.space_key AND x.message_key = y.message_key
                  {join_in_order} conversations z ON z.space_key = x.space_key
                    AND z.conversation_key = x.conversation_key
                  WHERE d.space_key = argument.space_key AND d.expires_at <= :now
                    AND (x.expires_at <= :now OR z.expires_at <= :now))

-- fragment: live_profile
NOT EXISTS (SELECT 1 {with_expired argument} AND x.id = argument.message_id)
  AND NOT EXISTS (SELECT 1 FROM conversations z WHERE z.space_key = argument.space_key AND z.id = argument.conversation
                    AND z.expires_at <= :now)

-- fragment: live_receipt
NOT EXISTS (SELECT 1 {with_expired argument} AND x.expires_at >= argument.at)
  AND NOT EXISTS (SELECT 1 FROM conversations z WHERE z.space_key = argument.space_key AND z.expires_at <= :now
                    AND z.expires_at >= argument.at)
  AND NOT EXISTS (SELECT 1 FROM facts z WHERE z.space_key = argument.space_key AND z.expires_at <= :now
                    AND z.expires_at >= argument.at)

-- name: expired
WITH gone AS (
  SELECT x.message_key, x.conversation_key, x.seq, x.id FROM messages x
  WHERE x.space_key = :space_key AND x.expires_at <= :now
  UNION
  SELECT x.message_key, x.conversation_key, x.seq, x.id FROM conversations z
  {join_in_order} messages x ON x.conversation_key = z.conversation_key AND x.space_key = z.space_key
  WHERE z.space_key = :space_key AND z.expires_at <= :now)
SELECT message_key, NULL AS note_key FROM gone
UNION ALL
SELECT NULL, n.note_key FROM notes n WHERE n.space_key = :space_key AND (n.kind, n.id) IN (
  SELECT 'fact', f.id FROM facts f WHERE f.space_key = :space_key AND f.expires_at <= :now
  UNION SELECT 'item', CAST(i.item_key AS text) FROM items i WHERE i.space_key = :space_key AND i.expires_at <= :now
  UNION SELECT 'fact', f.id FROM gone g
  JOIN evidence e ON e.space_key = :space_key AND e.message_key = g.message_key
  JOIN facts f ON f.space_key = :space_key AND f.fact_key = e.fact_key
  UNION SELECT 'summary', s.id FROM gone g JOIN summaries s ON s.space_key = :space_key
    AND s.conversation_key = g.conversation_key AND g.seq BETWEEN s.first_seq AND s.last_seq
  UNION SELECT 'episode', e.id FROM gone g JOIN episodes e ON e.space_key = :space_key
    AND e.conversation_key = g.conversation_key AND g.seq BETWEEN e.first_seq AND e.last_seq
  UNION SELECT 'pin', p.id FROM gone g JOIN pins p ON p.space_key = :space_key AND p.source_message_id = g.id
  UNION SELECT 'pin', p.id FROM conversations z JOIN pins p ON p.space_key = :space_key
    AND p.conversation_key = z.conversation_key WHERE z.space_key = :space_key AND z.expires_at <= :now);

-- name: due
SELECT id FROM spaces WHERE expires_at <= :now AND hold_at IS NULL ORDER BY expires_at LIMIT 1;

-- name: due_messages
SELECT {erased_message_columns} FROM messages WHERE space_key = :space_key AND expires_at <= :now
ORDER BY expires_at LIMIT :limit;

-- name: due_conversations
SELECT conversation_key, id FROM conversations WHERE space_key = :space_key AND expires_at <= :now
ORDER BY expires_at LIMIT :limit;

-- name: due_facts
SELECT fact_key, id, text FROM facts WHERE space_key = :space_key AND expires_at <= :now
ORDER BY expires_at LIMIT :limit;

-- name: due_items
SELECT space_key, item_key, value, text FROM items WHERE space_key = :space_key AND expires_at <= :now
ORDER BY expires_at LIMIT :limit;

-- name: reschedule
UPDATE spaces SET expires_at = (
  SELECT min(t.expires_at) FROM (
    SELECT min(expires_at) AS expires_at FROM messages WHERE space_key = :space_key AND expires_at IS NOT NULL
    UNION ALL SELECT min(expires_at) FROM conversations WHERE space_key = :space_key AND expires_at IS NOT NULL
    UNION ALL SELECT min(expires_at) FROM facts WHERE space_key = :space_key AND expires_at IS NOT NULL
    UNION ALL SELECT min(expires_at) FROM items WHERE space_key = :space_key AND expires_at IS NOT NULL) t)
WHERE space_key = :space_key;

-- name: hold
SELECT :space AS space, hold_at AS at, hold_by AS by, hold_reason AS reason FROM spaces
WHERE id = :space AND hold_at IS NOT NULL;

-- name: kept
SELECT 1 FROM spaces WHERE id = :space AND hold_at IS NOT NULL AND expires_at <= :now;

-- name: set_hold
UPDATE spaces SET hold_at = :at, hold_by = :by, hold_reason = :reason WHERE space_key = :space_key;
