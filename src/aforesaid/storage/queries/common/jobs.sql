-- fragment: of_own_job
kind = :kind AND target = :target AND EXISTS (SELECT 1 FROM jobs WHERE {own_job})

-- fragment: job_columns
j.kind, j.target, s.id AS space, m.id AS message, j.state, j.attempts, j.error, j.milliseconds,
       j.created_at, j.due_at, j.worker, c.id AS conversation

-- fragment: jobs
jobs j LEFT JOIN spaces s ON s.space_key = j.space_key
LEFT JOIN messages m ON j.about = 'message' AND m.space_key = j.space_key AND m.message_key = j.target
LEFT JOIN conversations c ON j.about = 'conversation' AND c.space_key = j.space_key AND c.conversation_key = j.target

-- fragment: own_job
state = 'running' AND kind = :kind AND target = :target AND worker = :worker

-- name: last_error
SELECT error FROM jobs WHERE state IN ('queued', 'running') AND error IS NOT NULL LIMIT 1;

-- name: owned
SELECT 1 FROM jobs WHERE {own_job};

-- name: counts
SELECT state, count(*) AS count FROM jobs GROUP BY state;

-- name: prune
DELETE FROM jobs WHERE state = 'done' AND finished_at < :before;

-- name: insert
INSERT INTO jobs (state, kind, target, about, space_key, due_at, created_at)
VALUES ('queued', :kind, :target, :about, coalesce(CAST(:space_key AS bigint), 0), :at, :at) ON CONFLICT DO NOTHING;

-- name: insert_idle
INSERT INTO jobs (state, kind, target, about, space_key, due_at, created_at)
SELECT 'queued', :kind, d.target, d.about, d.space_key, CAST(:at AS bigint), CAST(:at AS bigint) FROM jobs d
WHERE d.state = 'done' AND d.kind = 'distill' AND d.finished_at + :idle <= :at AND NOT EXISTS (
  SELECT 1 FROM jobs j WHERE j.state IN ('queued', 'running', 'done', 'failed') AND j.kind = :kind
    AND j.target = d.target AND j.space_key = d.space_key
    AND (j.state <> 'done' OR j.finished_at >= d.finished_at + :idle))
ON CONFLICT DO NOTHING;

-- name: get
SELECT {job_columns} FROM {jobs} WHERE j.state = 'running' AND j.kind = :kind AND j.target = :target;

-- name: list
SELECT {job_columns} FROM {jobs} WHERE j.state = :state AND j.kind = :kind ORDER BY j.target DESC LIMIT :limit;

-- name: of_message
SELECT state FROM jobs WHERE state IN ('queued', 'running', 'failed') AND kind = :kind
  AND target = (SELECT message_key FROM messages WHERE space_key = :space_key AND id = :id)
ORDER BY state DESC LIMIT 1;

-- name: open
SELECT count(*) FROM jobs WHERE state IN ('queued', 'running') AND kind IN (SELECT value FROM {each_text}(:kinds));

-- name: finish
DELETE FROM jobs WHERE state = 'done' AND {of_own_job};
UPDATE jobs SET state = 'done', milliseconds = :milliseconds, error = :error, finished_at = :at WHERE {own_job};

-- name: again
DELETE FROM jobs WHERE state = 'queued' AND {of_own_job};
UPDATE jobs SET state = 'queued', attempts = 0, due_at = :due WHERE {own_job};

-- name: retry
DELETE FROM jobs WHERE state = 'queued' AND {of_own_job};
UPDATE jobs SET state = 'queued', error = :error, due_at = :due WHERE {own_job};

-- name: fail
DELETE FROM jobs WHERE state = 'failed' AND {of_own_job};
UPDATE jobs SET state = 'failed', error = :error, finished_at = :at WHERE {own_job};

-- name: overtaken
DELETE FROM jobs AS j WHERE j.state IN ('queued', 'done') AND j.kind = 'embed' AND EXISTS (
  SELECT 1 FROM jobs o WHERE o.space_key = j.space_key AND o.kind = 'embed' AND o.target = j.target
    AND o.state IN ('queued', 'running') AND o.state > j.state);  -- 'done' < 'queued' < 'running'
UPDATE jobs SET state = 'done', milliseconds = 0, error = NULL, finished_at = :at
WHERE state IN ('queued', 'running') AND kind = 'embed';

-- name: revive
DELETE FROM jobs AS j WHERE j.state = 'queued' AND EXISTS (
  SELECT 1 FROM jobs f WHERE f.state = 'failed' AND f.space_key = j.space_key AND f.kind = j.kind
    AND f.target = j.target);
UPDATE jobs SET state = 'queued', due_at = :at, attempts = 0 WHERE state = 'failed';

-- name: delete
DELETE FROM jobs
WHERE state IN ('queued', 'running', 'done', 'failed') AND kind IN (SELECT value FROM {each_text}(:kinds))
  AND target = :target;

-- name: ended
SELECT finished_at, milliseconds FROM jobs
WHERE state = 'done' AND kind = :kind AND finished_at >= :since AND finished_at < :until AND milliseconds > 0
  AND (CAST(:space AS text) IS NULL OR space_key = {named_space}) ORDER BY target DESC LIMIT :limit;
