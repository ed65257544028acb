-- name: bounds
SELECT s.space_key, b.number, b.action, (SELECT max(number) FROM changes WHERE space_key = s.space_key)
FROM spaces s JOIN changes b ON b.space_key = s.space_key
WHERE s.id = :space ORDER BY b.number LIMIT 1;

-- name: of_space
SELECT number FROM changes WHERE space_key = :space_key AND number > :after ORDER BY number LIMIT :limit;

-- name: of_conversation
SELECT number FROM changes WHERE space_key = :space_key AND conversation_key = :conversation_key AND number > :after
ORDER BY number LIMIT :limit;

-- name: conversations_gone
SELECT number FROM changes
WHERE space_key = :space_key AND conversation_key IS NULL AND number > :after AND kind = 'conversation'
ORDER BY number LIMIT :limit;

-- name: spans
SELECT s.space_key, (SELECT min(number) FROM changes WHERE space_key = s.space_key) AS first,
       (SELECT max(number) FROM changes WHERE space_key = s.space_key) AS newest
FROM spaces s WHERE s.space_key > :after ORDER BY s.space_key LIMIT :limit;

-- name: young
SELECT number FROM changes WHERE space_key = :space_key AND number > :first AND at >= :before
ORDER BY number LIMIT 1;

-- name: prune
DELETE FROM changes WHERE space_key = :space_key AND number <= :last;

-- name: begin
INSERT INTO changes (space_key, number, kind, action, at) VALUES (:space_key, :last, 'space', 'changed', :before);
