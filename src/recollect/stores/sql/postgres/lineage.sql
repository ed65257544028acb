-- name: put
INSERT INTO lineage (space_key, derived, derived_key, source, source_key)
VALUES (:space_key, :derived, :derived_key, :source, :source_key)
ON CONFLICT DO NOTHING;
