-- name: all
SELECT name, value FROM preferences WHERE space_key = (SELECT space_key FROM spaces WHERE id = :space);
