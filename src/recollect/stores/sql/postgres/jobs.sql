-- name: insert
INSERT INTO jobs (state, kind, target, about, space_key, due_at, created_at)
VALUES ('queued', :kind, :target, :about, coalesce(:space_key::bigint, 0), :at, :at)
ON CONFLICT DO NOTHING;

-- name: late
SELECT target FROM jobs
WHERE state = 'running' AND kind = :kind
  AND (due_at <= :at OR (due_at > :never AND claimed_at < clock_timestamp() - interval '5 minutes'))
ORDER BY target LIMIT :limit FOR UPDATE SKIP LOCKED;

-- name: due
SELECT q.target FROM jobs q
WHERE q.state = 'queued' AND q.kind = :kind AND (q.due_at <= :at OR q.due_at > :never)
  AND NOT EXISTS (SELECT 1 FROM jobs r WHERE r.state = 'running' AND r.kind = :kind AND r.target = q.target)
ORDER BY q.target LIMIT :limit FOR UPDATE OF q SKIP LOCKED;

-- name: claim
UPDATE jobs SET state = 'running', worker = :worker, attempts = attempts + 1, due_at = :until, claimed_at = clock_timestamp()
WHERE state = :state AND kind = :kind AND target = :target;

-- name: get
SELECT j.kind, j.target, s.id AS space, m.id AS message, j.state, j.attempts, j.error, j.milliseconds,
       j.created_at, j.due_at, j.worker, c.id AS conversation
FROM jobs j LEFT JOIN spaces s ON s.space_key = j.space_key
LEFT JOIN messages m ON j.about = 'message' AND m.space_key = j.space_key AND m.message_key = j.target
LEFT JOIN conversations c ON j.about = 'conversation' AND c.space_key = j.space_key AND c.conversation_key = j.target
WHERE j.state = 'running' AND j.kind = :kind AND j.target = :target;

-- name: list
SELECT j.kind, j.target, s.id AS space, m.id AS message, j.state, j.attempts, j.error, j.milliseconds,
       j.created_at, j.due_at, j.worker, c.id AS conversation
FROM jobs j LEFT JOIN spaces s ON s.space_key = j.space_key
LEFT JOIN messages m ON j.about = 'message' AND m.space_key = j.space_key AND m.message_key = j.target
LEFT JOIN conversations c ON j.about = 'conversation' AND c.space_key = j.space_key AND c.conversation_key = j.target
WHERE j.state = :state AND j.kind = :kind ORDER BY j.target DESC LIMIT :limit;

-- name: open
SELECT count(*) FROM jobs WHERE state IN ('queued', 'running') AND kind IN (SELECT value FROM each_text(:kinds));

-- name: finish
DELETE FROM jobs j WHERE j.state = 'done' AND j.kind = :kind AND j.target = :target
  AND EXISTS (SELECT 1 FROM jobs r WHERE r.state = 'running' AND r.kind = :kind AND r.target = :target AND r.worker = :worker);
UPDATE jobs SET state = 'done', milliseconds = :milliseconds, error = :error, finished_at = :at
WHERE state = 'running' AND kind = :kind AND target = :target AND worker = :worker;

-- name: again
DELETE FROM jobs j WHERE j.state = 'queued' AND j.kind = :kind AND j.target = :target
  AND EXISTS (SELECT 1 FROM jobs r WHERE r.state = 'running' AND r.kind = :kind AND r.target = :target AND r.worker = :worker);
UPDATE jobs SET state = 'queued', attempts = 0, due_at = :due
WHERE state = 'running' AND kind = :kind AND target = :target AND worker = :worker;

-- name: retry
DELETE FROM jobs j WHERE j.state = 'queued' AND j.kind = :kind AND j.target = :target
  AND EXISTS (SELECT 1 FROM jobs r WHERE r.state = 'running' AND r.kind = :kind AND r.target = :target AND r.worker = :worker);
UPDATE jobs SET state = 'queued', error = :error, due_at = :due
WHERE state = 'running' AND kind = :kind AND target = :target AND worker = :worker;

-- name: fail
DELETE FROM jobs j WHERE j.state = 'failed' AND j.kind = :kind AND j.target = :target
  AND EXISTS (SELECT 1 FROM jobs r WHERE r.state = 'running' AND r.kind = :kind AND r.target = :target AND r.worker = :worker);
UPDATE jobs SET state = 'failed', error = :error, finished_at = :at
WHERE state = 'running' AND kind = :kind AND target = :target AND worker = :worker;

-- name: overtaken
DELETE FROM jobs j WHERE j.kind = 'embed' AND (
  (j.state = 'done' AND EXISTS (SELECT 1 FROM jobs o WHERE o.space_key = j.space_key AND o.kind = 'embed'
                                AND o.target = j.target AND o.state IN ('queued', 'running')))
  OR (j.state = 'queued' AND EXISTS (SELECT 1 FROM jobs o WHERE o.space_key = j.space_key AND o.kind = 'embed'
                                     AND o.target = j.target AND o.state = 'running')));
UPDATE jobs SET state = 'done', milliseconds = 0, error = NULL, finished_at = :at
WHERE state IN ('queued', 'running') AND kind = 'embed';

-- name: revive
DELETE FROM jobs j WHERE j.state = 'queued' AND EXISTS (
  SELECT 1 FROM jobs f WHERE f.state = 'failed' AND f.space_key = j.space_key AND f.kind = j.kind AND f.target = j.target);
UPDATE jobs SET state = 'queued', due_at = :at, attempts = 0 WHERE state = 'failed';

-- name: delete
DELETE FROM jobs
WHERE state IN ('queued', 'running', 'done', 'failed') AND kind IN (SELECT value FROM each_text(:kinds))
  AND target = :target;

-- name: ended
SELECT finished_at, milliseconds FROM jobs
WHERE state = 'done' AND kind = :kind AND finished_at >= :since AND finished_at < :until AND milliseconds > 0
  AND (:space::text IS NULL OR space_key = (SELECT space_key FROM spaces WHERE id = :space))
ORDER BY target DESC LIMIT :limit;

-- name: ready
SELECT k.value FROM each_text(:kinds) k
WHERE EXISTS (SELECT 1 FROM jobs r WHERE r.state = 'running' AND r.kind = k.value
              AND (r.due_at <= :at OR (r.due_at > :never AND r.claimed_at < clock_timestamp() - interval '5 minutes')))
   OR EXISTS (SELECT 1 FROM jobs q WHERE q.state = 'queued' AND q.kind = k.value
              AND (q.due_at <= :at OR q.due_at > :never)
              AND NOT EXISTS (SELECT 1 FROM jobs r
                              WHERE r.state = 'running' AND r.kind = q.kind AND r.target = q.target));
