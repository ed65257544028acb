-- name: made_from
SELECT derived, derived_key FROM lineage
WHERE space_key = :space_key AND source = :source AND source_key = :source_key ORDER BY derived, derived_key;

-- name: remove
DELETE FROM lineage WHERE space_key = :space_key AND derived = :kind AND derived_key = :key;

-- name: remove_source
DELETE FROM lineage WHERE space_key = :space_key AND source = :kind AND source_key = :key;

-- name: put
INSERT INTO lineage (space_key, derived, derived_key, source, source_key) {values} ON CONFLICT DO NOTHING;
