-- name: spent
SELECT coalesce(sum(prompt_tokens + completion_tokens), 0)::bigint FROM costs WHERE at >= :since;

-- name: of_space
SELECT model, operation, count(*), count(error), (count(*) - sum(settled))::bigint, sum(prompt_tokens)::bigint,
       sum(completion_tokens)::bigint, sum(milliseconds)
FROM costs
WHERE space_key = (SELECT space_key FROM spaces WHERE id = :space) AND at >= :since AND at < :until
GROUP BY model, operation ORDER BY model, operation;

-- name: of_all
SELECT model, operation, count(*), count(error), (count(*) - sum(settled))::bigint, sum(prompt_tokens)::bigint,
       sum(completion_tokens)::bigint, sum(milliseconds)
FROM costs
WHERE at >= :since AND at < :until
GROUP BY model, operation ORDER BY model, operation;

-- name: turn
SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' costs', 0));
