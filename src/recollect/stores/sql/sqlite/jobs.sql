-- name: insert
INSERT OR IGNORE INTO jobs (state, kind, target, about, space_key, due_at, created_at)
VALUES ('queued', :kind, :target, :about, :space_key, :at, :at);

-- name: late
SELECT target FROM jobs WHERE state = 'running' AND kind = :kind AND due_at <= :at LIMIT :limit;

-- name: due
SELECT q.target FROM jobs q
WHERE q.state = 'queued' AND q.kind = :kind AND (q.due_at <= :at OR q.due_at > :never)
  AND NOT EXISTS (SELECT 1 FROM jobs r WHERE r.state = 'running' AND r.kind = :kind AND r.target = q.target) LIMIT :limit;

-- name: claim
UPDATE OR REPLACE jobs SET state = 'running', worker = :worker, attempts = attempts + 1, due_at = :until
WHERE state = :state AND kind = :kind AND target = :target;

-- name: get
SELECT j.kind, j.target, s.id AS space, m.id AS message, j.state, j.attempts, j.error, j.milliseconds,
       j.created_at, j.due_at, j.worker, c.id AS conversation
FROM jobs j LEFT JOIN spaces s ON s.space_key = j.space_key
LEFT JOIN messages m ON j.about = 'message' AND m.message_key = j.target
LEFT JOIN conversations c ON j.about = 'conversation' AND c.conversation_key = j.target
WHERE j.state = 'running' AND j.kind = :kind AND j.target = :target;

-- name: list
SELECT j.kind, j.target, s.id AS space, m.id AS message, j.state, j.attempts, j.error, j.milliseconds,
       j.created_at, j.due_at, j.worker, c.id AS conversation
FROM jobs j LEFT JOIN spaces s ON s.space_key = j.space_key
LEFT JOIN messages m ON j.about = 'message' AND m.message_key = j.target
LEFT JOIN conversations c ON j.about = 'conversation' AND c.conversation_key = j.target
WHERE j.state = :state AND j.kind = :kind ORDER BY j.target DESC LIMIT :limit;

-- name: open
SELECT count(*) FROM jobs WHERE state IN ('queued', 'running') AND kind IN (SELECT value FROM json_each(:kinds));

-- name: finish
UPDATE OR REPLACE jobs SET state = 'done', milliseconds = :milliseconds, error = :error, finished_at = :at
WHERE state = 'running' AND kind = :kind AND target = :target AND worker = :worker;

-- name: again
UPDATE OR REPLACE jobs SET state = 'queued', attempts = 0, due_at = :due
WHERE state = 'running' AND kind = :kind AND target = :target AND worker = :worker;

-- name: retry
UPDATE OR REPLACE jobs SET state = 'queued', error = :error, due_at = :due
WHERE state = 'running' AND kind = :kind AND target = :target AND worker = :worker;

-- name: fail
UPDATE OR REPLACE jobs SET state = 'failed', error = :error, finished_at = :at
WHERE state = 'running' AND kind = :kind AND target = :target AND worker = :worker;

-- name: overtaken
UPDATE OR REPLACE jobs SET state = 'done', milliseconds = 0, error = NULL, finished_at = :at
WHERE state IN ('queued', 'running') AND kind = 'embed';

-- name: revive
UPDATE OR REPLACE jobs SET state = 'queued', due_at = :at, attempts = 0 WHERE state = 'failed';

-- name: delete
DELETE FROM jobs
WHERE state IN ('queued', 'running', 'done', 'failed') AND kind IN (SELECT value FROM json_each(:kinds))
  AND target = :target;

-- name: ended
SELECT finished_at, milliseconds FROM jobs
WHERE state = 'done' AND kind = :kind AND finished_at >= :since AND finished_at < :until AND milliseconds > 0
  AND (:space IS NULL OR space_key = (SELECT space_key FROM spaces WHERE id = :space))
ORDER BY target DESC LIMIT :limit;

-- name: ready
SELECT k.value FROM json_each(:kinds) k
WHERE EXISTS (SELECT 1 FROM jobs r WHERE r.state = 'running' AND r.kind = k.value AND r.due_at <= :at)
   OR EXISTS (SELECT 1 FROM jobs q WHERE q.state = 'queued' AND q.kind = k.value
              AND (q.due_at <= :at OR q.due_at > :never)
              AND NOT EXISTS (SELECT 1 FROM jobs r
                              WHERE r.state = 'running' AND r.kind = q.kind AND r.target = q.target));
