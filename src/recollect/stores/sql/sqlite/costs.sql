-- name: turn
SELECT 1;  -- a file has one writer at a time

-- name: spent
SELECT coalesce(sum(prompt_tokens + completion_tokens), 0) FROM costs WHERE at >= :since;

-- name: of_space
SELECT model, operation, count(*), count(error), count(*) - sum(settled), sum(prompt_tokens), sum(completion_tokens),
       sum(milliseconds)
FROM costs
WHERE space_key = (SELECT space_key FROM spaces WHERE id = :space) AND at >= :since AND at < :until
GROUP BY model, operation ORDER BY model, operation;

-- name: of_all
SELECT model, operation, count(*), count(error), count(*) - sum(settled), sum(prompt_tokens), sum(completion_tokens),
       sum(milliseconds)
FROM costs INDEXED BY costs_by_time
WHERE at >= :since AND at < :until
GROUP BY model, operation ORDER BY model, operation;
