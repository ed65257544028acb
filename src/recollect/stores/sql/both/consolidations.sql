-- name: looked_at
SELECT count(*) FROM facts WHERE space_key = :space_key AND status IN ('active', 'pending');

-- name: begin
INSERT INTO consolidations (space_key, id, at, looked_at, archived, merged, tokens)
VALUES (:space_key, :id, :at, :looked_at, :archived, :merged, :tokens) RETURNING consolidation_key;

-- name: lacking
SELECT e.message_key FROM evidence e
WHERE e.space_key = :space_key AND e.fact_key = :fact_key
  AND NOT EXISTS (SELECT 1 FROM evidence k
                  WHERE k.space_key = :space_key AND k.fact_key = :into_key AND k.message_key = e.message_key);

-- name: last
SELECT consolidation_key, id, at, looked_at, archived, merged, tokens FROM consolidations
WHERE space_key = :space_key AND undone_at IS NULL ORDER BY consolidation_key DESC LIMIT 1;

-- name: unrelate
DELETE FROM relations
WHERE space_key = :space_key AND source_key = :record_key AND kind = 'part_of' AND target_key = :into_key;

-- name: list
SELECT id, at, looked_at, archived, merged, tokens, undone_at FROM consolidations
WHERE space_key = :space_key ORDER BY consolidation_key DESC LIMIT :limit;
