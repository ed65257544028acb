-- name: add
INSERT INTO keys (id, name, access, spaces, digest, created_at) {values};

-- name: get
SELECT id, name, access, spaces, created_at, revoked_at, digest FROM keys WHERE id = :id;

-- name: list
SELECT id, name, access, spaces, created_at, revoked_at FROM keys ORDER BY id;

-- name: revoke
UPDATE keys SET revoked_at = :at WHERE id = :id AND revoked_at IS NULL;
