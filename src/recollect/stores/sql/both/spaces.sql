-- name: key
SELECT space_key FROM spaces WHERE id = :space;

-- name: revision
SELECT space_key, revision FROM spaces WHERE id = :space;

-- name: changed
UPDATE spaces SET revision = revision + 1 WHERE space_key = :space_key;

-- name: make
INSERT INTO spaces (id, created_at) VALUES (:space, :at) RETURNING space_key;

-- name: conversation_keys
SELECT conversation_key FROM conversations WHERE space_key = :space_key;

-- name: delete
DELETE FROM spaces WHERE space_key = :space_key;
