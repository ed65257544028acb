-- name: all
SELECT step, reached FROM progress WHERE {in_conversation} ORDER BY step;
