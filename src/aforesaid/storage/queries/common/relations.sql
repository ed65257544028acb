-- fragment: relation_columns
s.id AS source, r.kind, t.id AS target, r.strength, r.created_at

-- name: put
INSERT INTO relations (space_key, source_key, kind, target_key, strength, created_at) {values}
ON CONFLICT (space_key, source_key, kind, target_key) DO UPDATE SET strength = excluded.strength;

-- name: remove
DELETE FROM relations
WHERE space_key = :space_key AND source_key = :source_key AND kind = :kind AND target_key = :target_key;

-- name: of_fact
SELECT {relation_columns}
FROM (SELECT * FROM relations WHERE space_key = :space_key AND source_key = :fact_key
      UNION ALL SELECT * FROM relations WHERE space_key = :space_key AND target_key = :fact_key) r
JOIN facts s ON s.space_key = r.space_key AND s.fact_key = r.source_key
JOIN facts t ON t.space_key = r.space_key AND t.fact_key = r.target_key
WHERE {live_fact s} AND {live_fact t} ORDER BY r.created_at DESC LIMIT :limit;

-- name: list
SELECT {relation_columns} FROM relations r
{join_in_order} facts s ON s.space_key = r.space_key AND s.fact_key = r.source_key
{join_in_order} facts t ON t.space_key = r.space_key AND t.fact_key = r.target_key
WHERE r.space_key = :space_key AND {live_fact s} AND {live_fact t}
ORDER BY r.created_at DESC LIMIT :limit;
