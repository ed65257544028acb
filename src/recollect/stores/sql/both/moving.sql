-- name: fact
SELECT fact_key, updated_at FROM facts WHERE space_key = :space_key AND id = :id;

-- name: end
INSERT INTO closings (space_key, fact_key, by_key, at, status, valid_until, closed_until, corrected, undone_at)
VALUES (:space_key, :fact_key, :by_key, :at, :status, :valid_until, :closed_until, :corrected, :undone_at);

-- name: episode
SELECT episode_key FROM episodes WHERE space_key = :space_key AND id = :id;

-- name: merge_episode
UPDATE episodes SET merged_into = (SELECT m.episode_key FROM episodes m WHERE m.space_key = :space_key AND m.id = :into)
WHERE space_key = :space_key AND id = :id;

-- name: summary
SELECT summary_key FROM summaries WHERE space_key = :space_key AND id = :id;

-- name: consolidations
SELECT consolidation_key, id, at, looked_at, archived, merged, tokens, undone_at FROM consolidations
WHERE space_key = :space_key ORDER BY consolidation_key;

-- name: consolidation
SELECT 1 FROM consolidations WHERE space_key = :space_key AND id = :id;

-- name: keep_consolidation
INSERT INTO consolidations (space_key, id, at, looked_at, archived, merged, tokens, undone_at)
VALUES (:space_key, :id, :at, :looked_at, :archived, :merged, :tokens, :undone_at) RETURNING consolidation_key;
