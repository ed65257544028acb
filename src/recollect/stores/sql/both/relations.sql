-- name: put
INSERT INTO relations (space_key, source_key, kind, target_key, strength, created_at)
VALUES (:space_key, :source_key, :kind, :target_key, :strength, :created_at)
ON CONFLICT (space_key, source_key, kind, target_key) DO UPDATE SET strength = excluded.strength;

-- name: remove
DELETE FROM relations
WHERE space_key = :space_key AND source_key = :source_key AND kind = :kind AND target_key = :target_key;
