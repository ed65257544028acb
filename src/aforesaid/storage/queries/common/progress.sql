-- A step may have read messages that are deleted since: what it has read of the others counts.
-- name: all
SELECT step, (SELECT CASE WHEN max(m.seq) >= p.reached THEN p.reached ELSE max(m.seq) END
              FROM messages m WHERE {in_conversation}) AS reached
FROM progress p WHERE {in_conversation} ORDER BY step;
