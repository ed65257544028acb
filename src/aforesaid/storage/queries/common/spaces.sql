-- fragment: named_space
(SELECT space_key FROM spaces WHERE id = :space)

-- fragment: space_columns
s.id, s.created_at,
       (SELECT count(*) FROM conversations c WHERE c.space_key = s.space_key) AS conversations,
       (SELECT CAST(coalesce(sum(c.messages), 0) AS bigint) FROM conversations c
        WHERE c.space_key = s.space_key) AS messages

-- name: key
SELECT space_key FROM spaces WHERE id = :space;

-- name: revision
SELECT space_key, revision, expires_at FROM spaces WHERE id = :space;

-- name: changed
UPDATE spaces SET revision = revision + 1 WHERE space_key = :space_key;

-- name: make
INSERT INTO spaces (id, created_at) VALUES (:space, :at) RETURNING space_key;

-- name: delete
DELETE FROM spaces WHERE space_key = :space_key;

-- name: get
SELECT {space_columns} FROM spaces s WHERE s.id = :space;

-- name: list
SELECT {space_columns} FROM spaces s WHERE s.space_key > :after ORDER BY s.space_key LIMIT :limit;
