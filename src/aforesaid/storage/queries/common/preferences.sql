-- name: set
INSERT INTO preferences (space_key, name, value, updated_at) VALUES (:space_key, :name, :value, :at)
ON CONFLICT (space_key, name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at;

-- name: unset
DELETE FROM preferences WHERE space_key = {named_space} AND name = :name;
