-- name: last_error
SELECT error FROM jobs WHERE state IN ('queued', 'running') AND error IS NOT NULL LIMIT 1;

-- name: owned
SELECT 1 FROM jobs WHERE state = 'running' AND kind = :kind AND target = :target AND worker = :worker;

-- name: counts
SELECT state, count(*) FROM jobs GROUP BY state;

-- name: prune
DELETE FROM jobs WHERE state = 'done' AND finished_at < :before;
