-- name: place
SELECT at, audit_key FROM audit WHERE space_key = (SELECT space_key FROM spaces WHERE id = :space) AND id = :id;
