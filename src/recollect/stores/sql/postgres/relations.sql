-- name: of_fact
SELECT s.id, r.kind, t.id, r.strength, r.created_at
FROM (SELECT * FROM relations WHERE space_key = :space_key AND source_key = :fact_key
      UNION ALL SELECT * FROM relations WHERE space_key = :space_key AND target_key = :fact_key) r
JOIN facts s ON s.space_key = r.space_key AND s.fact_key = r.source_key
JOIN facts t ON t.space_key = r.space_key AND t.fact_key = r.target_key
ORDER BY r.created_at DESC LIMIT :limit;

-- name: list
SELECT s.id, r.kind, t.id, r.strength, r.created_at
FROM relations r
JOIN facts s ON s.space_key = r.space_key AND s.fact_key = r.source_key
JOIN facts t ON t.space_key = r.space_key AND t.fact_key = r.target_key
WHERE r.space_key = :space_key ORDER BY r.created_at DESC LIMIT :limit;
