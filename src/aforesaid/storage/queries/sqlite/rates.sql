-- name: turn
SELECT 1;
