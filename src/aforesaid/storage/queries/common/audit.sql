-- name: place
SELECT at, audit_key FROM audit WHERE space_key = {named_space} AND id = :id;

-- name: add
INSERT INTO audit (space_key, id, at, actor, action, detail, imported) {values} ON CONFLICT (space_key, id) DO NOTHING;

-- name: list
SELECT id, :space AS space, at, actor, action, detail, imported FROM audit
WHERE space_key = {named_space} AND at >= :since
  AND (at, audit_key) < (:until, :before) AND (CAST(:action AS text) IS NULL OR action = :action)
ORDER BY at DESC, audit_key DESC LIMIT :limit;
