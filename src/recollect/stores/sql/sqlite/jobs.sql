-- name: insert
INSERT OR IGNORE INTO jobs (state, message_key, kind, space_key, due_at, created_at)
VALUES ('queued', :message_key, :kind, :space_key, :at, :at);

-- name: late
SELECT kind, message_key FROM jobs
WHERE state = 'running' AND due_at <= :at AND kind IN (SELECT value FROM json_each(:kinds)) LIMIT :limit;

-- name: due
SELECT kind, message_key FROM jobs
WHERE state = 'queued' AND (due_at <= :at OR due_at > :never) AND kind IN (SELECT value FROM json_each(:kinds)) LIMIT :limit;

-- name: claim
UPDATE OR REPLACE jobs SET state = 'running', worker = :worker, attempts = attempts + 1, due_at = :until
WHERE state = :state AND message_key = :message_key AND kind = :kind;

-- name: get
SELECT j.kind, j.message_key, s.id AS space, m.id AS message, j.state, j.attempts, j.error, j.milliseconds,
       j.created_at, j.due_at, j.worker
FROM jobs j LEFT JOIN spaces s ON s.space_key = j.space_key LEFT JOIN messages m ON m.message_key = j.message_key
WHERE j.state = 'running' AND j.message_key = :message_key AND j.kind = :kind;

-- name: list
SELECT j.kind, j.message_key, s.id AS space, m.id AS message, j.state, j.attempts, j.error, j.milliseconds,
       j.created_at, j.due_at, j.worker
FROM jobs j LEFT JOIN spaces s ON s.space_key = j.space_key LEFT JOIN messages m ON m.message_key = j.message_key
WHERE j.state = :state ORDER BY j.message_key DESC, j.kind LIMIT :limit;

-- name: open
SELECT count(*) FROM jobs WHERE state IN ('queued', 'running') AND kind IN (SELECT value FROM json_each(:kinds));

-- name: last_error
SELECT error FROM jobs WHERE state IN ('queued', 'running') AND error IS NOT NULL LIMIT 1;

-- name: owned
SELECT 1 FROM jobs WHERE state = 'running' AND message_key = :message_key AND kind = :kind AND worker = :worker;

-- name: finish
UPDATE OR REPLACE jobs SET state = 'done', milliseconds = :milliseconds, error = NULL, finished_at = :at
WHERE state = 'running' AND message_key = :message_key AND kind = :kind AND worker = :worker;

-- name: again
UPDATE OR REPLACE jobs SET state = 'queued', attempts = 0, due_at = :due
WHERE state = 'running' AND message_key = :message_key AND kind = :kind AND worker = :worker;

-- name: retry
UPDATE OR REPLACE jobs SET state = 'queued', error = :error, due_at = :due
WHERE state = 'running' AND message_key = :message_key AND kind = :kind AND worker = :worker;

-- name: fail
UPDATE OR REPLACE jobs SET state = 'failed', error = :error, finished_at = :at
WHERE state = 'running' AND message_key = :message_key AND kind = :kind AND worker = :worker;

-- name: overtaken
UPDATE OR REPLACE jobs SET state = 'done', milliseconds = 0, error = NULL, finished_at = :at
WHERE state IN ('queued', 'running') AND kind = 'embed';

-- name: revive
UPDATE OR REPLACE jobs SET state = 'queued', due_at = :at, attempts = 0 WHERE state = 'failed';

-- name: counts
SELECT state, count(*) FROM jobs GROUP BY state;

-- name: prune
DELETE FROM jobs WHERE state = 'done' AND finished_at < :before;

-- name: delete
DELETE FROM jobs WHERE state IN ('queued', 'running', 'done', 'failed') AND message_key = :message_key;
