-- name: wait
SELECT 1;  -- a file has one writer at a time
