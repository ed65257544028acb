-- name: add
INSERT INTO costs (id, space_key, at, model, operation, prompt_tokens, completion_tokens, milliseconds, error, settled)
VALUES (:id, (SELECT space_key FROM spaces WHERE id = :space), :at, :model, :operation, :prompt_tokens,
        :completion_tokens, :milliseconds, :error, 0);

-- name: settle
UPDATE costs SET prompt_tokens = :prompt_tokens, completion_tokens = :completion_tokens,
                 milliseconds = :milliseconds, error = :error, settled = 1
WHERE id = :id;
