-- name: space
SELECT space_key, revision FROM spaces WHERE id = :space;
