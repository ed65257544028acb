-- name: reached
SELECT reached FROM progress WHERE {in_conversation} AND step = :step;

-- name: all
SELECT step, reached FROM progress WHERE {in_conversation} ORDER BY step;

-- name: forget
DELETE FROM progress WHERE {in_conversation};
