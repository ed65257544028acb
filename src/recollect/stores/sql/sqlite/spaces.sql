-- name: get
SELECT s.id, s.created_at,
       (SELECT count(*) FROM conversations c WHERE c.space_key = s.space_key) AS conversations,
       (SELECT total(messages) FROM conversations c WHERE c.space_key = s.space_key) AS messages
FROM spaces s WHERE s.id = :space;

-- name: list
SELECT s.id, s.created_at,
       (SELECT count(*) FROM conversations c WHERE c.space_key = s.space_key) AS conversations,
       (SELECT total(messages) FROM conversations c WHERE c.space_key = s.space_key) AS messages
FROM spaces s WHERE s.space_key > :after ORDER BY s.space_key LIMIT :limit;

-- name: statistics
SELECT total(chunks), total(terms) FROM conversations WHERE space_key = :space_key;
