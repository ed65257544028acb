-- name: get
SELECT c.number, c.kind, c.action,
       (SELECT v.id FROM conversations v WHERE v.space_key = c.space_key AND v.conversation_key = c.conversation_key) AS conversation,
       CASE c.kind
         WHEN 'conversation' THEN (SELECT v.id FROM conversations v WHERE v.space_key = c.space_key AND v.conversation_key = c.record_key)
         WHEN 'message' THEN (SELECT m.id FROM messages m WHERE m.space_key = c.space_key AND m.message_key = c.record_key
                              AND m.conversation_key = c.conversation_key AND m.seq = c.seq)
         WHEN 'pin' THEN (SELECT p.id FROM pins p WHERE p.space_key = c.space_key AND p.pin_key = c.record_key
                          AND p.conversation_key = c.conversation_key)
         WHEN 'summary' THEN (SELECT s.id FROM summaries s WHERE s.space_key = c.space_key AND s.summary_key = c.record_key
                              AND s.conversation_key = c.conversation_key)
         WHEN 'episode' THEN (SELECT e.id FROM episodes e WHERE e.space_key = c.space_key AND e.episode_key = c.record_key
                              AND e.conversation_key = c.conversation_key)
         WHEN 'fact' THEN (SELECT f.id FROM facts f WHERE f.space_key = c.space_key AND f.fact_key = c.record_key)
       END AS record,
       c.seq
FROM each_number(:numbers) n JOIN changes c ON c.space_key = :space_key AND c.number = n.value ORDER BY n.key;
