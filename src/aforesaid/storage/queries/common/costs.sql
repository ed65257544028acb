-- fragment: cost_sums
model, operation, count(*) AS calls, count(error) AS errors,
       CAST(count(*) - sum(settled) AS bigint) AS unsettled, CAST(sum(prompt_tokens) AS bigint) AS prompt_tokens,
       CAST(sum(completion_tokens) AS bigint) AS completion_tokens, sum(milliseconds) AS milliseconds

-- name: add
INSERT INTO costs (id, space_key, at, model, operation, prompt_tokens, completion_tokens, milliseconds, error, settled)
VALUES (:id, {named_space}, :at, :model, :operation, :prompt_tokens, :completion_tokens,
        :milliseconds, :error, 0);

-- name: settle
UPDATE costs SET prompt_tokens = :prompt_tokens, completion_tokens = :completion_tokens,
                 milliseconds = :milliseconds, error = :error, settled = 1
WHERE id = :id;

-- name: spent
SELECT CAST(coalesce(sum(prompt_tokens + completion_tokens), 0) AS bigint) AS tokens FROM costs WHERE at >= :since;

-- name: of_space
SELECT {cost_sums} FROM costs WHERE space_key = {named_space} AND at >= :since AND at < :until
GROUP BY model, operation ORDER BY model, operation;

-- name: of_all
SELECT {cost_sums} FROM costs WHERE at >= :since AND at < :until GROUP BY model, operation ORDER BY model, operation;
