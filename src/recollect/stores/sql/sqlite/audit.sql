-- name: add
INSERT INTO audit (space_key, id, at, actor, action, detail, imported)
VALUES (:space_key, :id, :at, :actor, :action, :detail, :imported);

-- name: list
SELECT id, :space AS space, at, actor, action, detail, imported FROM audit
WHERE space_key = (SELECT space_key FROM spaces WHERE id = :space) AND at >= :since
  AND (at, audit_key) < (:until, :before) AND (:action IS NULL OR action = :action)
ORDER BY at DESC, audit_key DESC LIMIT :limit;
