-- name: insert
INSERT INTO jobs (kind, space_key, conversation_key, message_key, state, due_at, created_at)
VALUES (:kind, :space_key, :conversation_key, :message_key, 'queued', :at, :at);

-- name: first_due
SELECT kind FROM jobs
WHERE state IN ('queued', 'running') AND due_at <= :at AND kind IN (SELECT value FROM json_each(:kinds))
ORDER BY due_at, job_key LIMIT 1;

-- name: claim
UPDATE jobs SET state = 'running', worker = :worker, attempts = attempts + 1, due_at = :until
WHERE job_key IN (
  SELECT job_key FROM jobs
  WHERE state IN ('queued', 'running') AND due_at <= :at AND kind = :kind ORDER BY due_at, job_key LIMIT :limit)
RETURNING job_key;

-- name: get
SELECT j.job_key, j.kind, s.id AS space, m.id AS message, j.state, j.attempts, j.error, j.milliseconds,
       j.created_at, j.due_at, j.worker
FROM jobs j LEFT JOIN spaces s ON s.space_key = j.space_key LEFT JOIN messages m ON m.message_key = j.message_key
WHERE j.job_key = :job_key;

-- name: list
SELECT j.job_key, j.kind, s.id AS space, m.id AS message, j.state, j.attempts, j.error, j.milliseconds,
       j.created_at, j.due_at, j.worker
FROM jobs j LEFT JOIN spaces s ON s.space_key = j.space_key LEFT JOIN messages m ON m.message_key = j.message_key
WHERE :state IS NULL OR j.state = :state ORDER BY j.job_key DESC LIMIT :limit;

-- name: open
SELECT count(*) FROM jobs WHERE state IN ('queued', 'running') AND kind IN (SELECT value FROM json_each(:kinds));

-- name: last_error
SELECT error FROM jobs WHERE state IN ('queued', 'running') AND error IS NOT NULL LIMIT 1;

-- name: owned
SELECT 1 FROM jobs WHERE job_key = :job_key AND worker = :worker AND state = 'running';

-- name: message_key
SELECT message_key FROM jobs WHERE job_key = :job_key;

-- name: overtaken
UPDATE jobs SET state = 'done', milliseconds = 0, error = NULL, finished_at = :at
WHERE state IN ('queued', 'running') AND kind = 'embed';

-- name: is_open
SELECT 1 FROM jobs WHERE state IN ('queued', 'running') AND kind = :kind LIMIT 1;

-- name: finish
UPDATE jobs SET state = 'done', milliseconds = :milliseconds, error = NULL, finished_at = :at
WHERE job_key = :job_key AND worker = :worker AND state = 'running';

-- name: retry
UPDATE jobs SET state = 'queued', error = :error, due_at = :due
WHERE job_key = :job_key AND worker = :worker AND state = 'running';

-- name: fail
UPDATE jobs SET state = 'failed', error = :error, finished_at = :at
WHERE job_key = :job_key AND worker = :worker AND state = 'running';

-- name: again
UPDATE jobs SET state = 'queued', attempts = 0, due_at = :due
WHERE job_key = :job_key AND worker = :worker AND state = 'running';

-- name: revive
UPDATE jobs SET state = 'queued', due_at = :at, attempts = 0 WHERE state = 'failed';

-- name: counts
SELECT state, count(*) FROM jobs GROUP BY state;

-- name: prune
DELETE FROM jobs WHERE state = 'done' AND finished_at < :before;

-- name: delete
DELETE FROM jobs WHERE conversation_key = :conversation_key;

-- name: delete_space
DELETE FROM jobs WHERE space_key = :space_key;
