-- A lease ends after 20 seconds by the clock of the server. By the clock of a worker, which may be wrong, it ends 100
-- seconds later.

-- name: late
SELECT target FROM jobs WHERE state = 'running' AND kind = :kind
  AND (due_at <= :at OR claimed_at < clock_timestamp() - interval '20 seconds')
ORDER BY target LIMIT :limit FOR UPDATE SKIP LOCKED;

-- name: due
SELECT q.target FROM jobs q WHERE q.state = 'queued' AND q.kind = :kind AND (q.due_at <= :at OR q.due_at > :never)
  AND NOT EXISTS (SELECT 1 FROM jobs r WHERE r.state = 'running' AND r.kind = :kind AND r.target = q.target)
ORDER BY q.target LIMIT :limit FOR UPDATE OF q SKIP LOCKED;

-- name: claim
UPDATE jobs SET state = 'running', worker = :worker, attempts = attempts + 1, due_at = CAST(:until AS bigint) + 100000000,
  claimed_at = clock_timestamp()
WHERE state = :state AND kind = :kind AND target = :target;

-- name: renew
UPDATE jobs SET due_at = CAST(:until AS bigint) + 100000000, claimed_at = clock_timestamp() WHERE {own_job};

-- name: ready
SELECT k.value FROM each_text(:kinds) k
WHERE EXISTS (SELECT 1 FROM jobs r WHERE r.state = 'running' AND r.kind = k.value
              AND (r.due_at <= :at OR r.claimed_at < clock_timestamp() - interval '20 seconds'))
   OR EXISTS (SELECT 1 FROM jobs q WHERE q.state = 'queued' AND q.kind = k.value
              AND (q.due_at <= :at OR q.due_at > :never)
              AND NOT EXISTS (SELECT 1 FROM jobs r
                              WHERE r.state = 'running' AND r.kind = q.kind AND r.target = q.target));
