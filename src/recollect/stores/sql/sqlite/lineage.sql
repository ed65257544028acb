-- name: put
INSERT OR IGNORE INTO lineage (space_key, derived, derived_key, source, source_key)
VALUES (:space_key, :derived, :derived_key, :source, :source_key);
