-- A step may have read messages that are deleted since: what it has read of the others counts.
-- name: all
SELECT p.step, CASE WHEN m.seq < p.reached THEN m.seq ELSE p.reached END AS reached
FROM progress p, (SELECT max(seq) AS seq FROM messages WHERE {in_conversation}) m
WHERE {in_conversation} AND m.seq IS NOT NULL ORDER BY p.step;
