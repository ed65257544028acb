-- fragment: own_answer
space_key = :space_key AND conversation_key = :conversation_key AND message_key = :message_key

-- fragment: held_answer
{own_answer} AND holder = :holder

-- name: claim
INSERT INTO running_answers (space_key, conversation_key, message_key, holder, model, begun_at, due_at)
VALUES (:space_key, :conversation_key, :message_key, :holder, :model, :at, :until);

-- name: expire
DELETE FROM running_answers WHERE {own_answer} AND due_at <= :at;

-- name: held
SELECT holder FROM running_answers WHERE {own_answer};

-- name: renew
UPDATE running_answers SET due_at = :until, retries = :retries WHERE {held_answer};

-- name: stopping
SELECT stopping FROM running_answers WHERE {held_answer};

-- name: stop
UPDATE running_answers SET stopping = 1 WHERE {own_answer} AND due_at > :at;

-- name: release
DELETE FROM running_answers WHERE {held_answer};

-- name: list
SELECT m.id AS question, r.model, r.retries, r.stopping, r.begun_at FROM running_answers r
JOIN messages m ON m.space_key = r.space_key AND m.message_key = r.message_key
WHERE r.space_key = :space_key AND r.conversation_key = :conversation_key AND r.due_at > :at ORDER BY r.begun_at, m.seq;
