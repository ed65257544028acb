-- name: bounds
SELECT s.space_key, b.number, b.action, (SELECT max(number) FROM changes WHERE space_key = s.space_key) AS newest
FROM spaces s JOIN changes b ON b.space_key = s.space_key WHERE s.id = :space ORDER BY b.number LIMIT 1;

-- name: of_space
SELECT number FROM changes WHERE space_key = :space_key AND number > :after ORDER BY number LIMIT :limit;

-- name: of_conversation
SELECT number FROM changes WHERE {in_conversation} AND number > :after ORDER BY number LIMIT :limit;

-- name: conversations_gone
SELECT number FROM changes
WHERE space_key = :space_key AND conversation_key IS NULL AND number > :after AND kind = 'conversation'
ORDER BY number LIMIT :limit;

-- name: spans
SELECT s.space_key, (SELECT min(number) FROM changes WHERE space_key = s.space_key) AS first,
       (SELECT max(number) FROM changes WHERE space_key = s.space_key) AS newest
FROM spaces s WHERE s.space_key > :after ORDER BY s.space_key LIMIT :limit;

-- name: young
SELECT number FROM changes WHERE space_key = :space_key AND number > :first AND at >= :before ORDER BY number LIMIT 1;

-- name: prune
DELETE FROM changes WHERE space_key = :space_key AND number <= :last;

-- name: begin
INSERT INTO changes (space_key, number, kind, action, at) VALUES (:space_key, :last, 'space', 'changed', :before);

-- name: get
SELECT c.number, c.kind, c.action,
       (SELECT v.id FROM conversations v
        WHERE v.space_key = c.space_key AND v.conversation_key = c.conversation_key) AS conversation,
       CASE c.kind
         WHEN 'conversation' THEN (SELECT v.id FROM conversations v
                                   WHERE v.space_key = c.space_key AND v.conversation_key = c.record_key)
         WHEN 'message' THEN (SELECT m.id FROM messages m WHERE m.space_key = c.space_key
                              AND m.message_key = c.record_key AND m.conversation_key = c.conversation_key
                              AND m.seq = c.seq)
         WHEN 'pin' THEN (SELECT p.id FROM pins p WHERE p.space_key = c.space_key AND p.pin_key = c.record_key
                          AND p.conversation_key = c.conversation_key)
         WHEN 'summary' THEN (SELECT s.id FROM summaries s WHERE s.space_key = c.space_key
                              AND s.summary_key = c.record_key AND s.conversation_key = c.conversation_key)
         WHEN 'episode' THEN (SELECT e.id FROM episodes e WHERE e.space_key = c.space_key
                              AND e.episode_key = c.record_key AND e.conversation_key = c.conversation_key)
         WHEN 'item' THEN (SELECT i.namespace || i.key FROM items i WHERE i.space_key = c.space_key
                           AND i.item_key = c.record_key)
         WHEN 'fact' THEN (SELECT f.id FROM facts f WHERE f.space_key = c.space_key AND f.fact_key = c.record_key)
       END AS record, c.seq
FROM {each_number}(:numbers) n {join_in_order} changes c ON c.space_key = :space_key AND c.number = n.value
ORDER BY n.key;
