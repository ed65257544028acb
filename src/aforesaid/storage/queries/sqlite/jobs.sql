-- name: late
SELECT target FROM jobs WHERE state = 'running' AND kind = :kind AND due_at <= :at LIMIT :limit;

-- name: due
SELECT q.target FROM jobs q WHERE q.state = 'queued' AND q.kind = :kind AND (q.due_at <= :at OR q.due_at > :never)
  AND NOT EXISTS (SELECT 1 FROM jobs r WHERE r.state = 'running' AND r.kind = :kind AND r.target = q.target)
  LIMIT :limit;

-- name: claim
UPDATE OR REPLACE jobs SET state = 'running', worker = :worker, attempts = attempts + 1, due_at = :until
WHERE state = :state AND kind = :kind AND target = :target;

-- name: renew
UPDATE jobs SET due_at = :until WHERE {own_job};

-- name: ready
SELECT k.value FROM json_each(:kinds) k
WHERE EXISTS (SELECT 1 FROM jobs r WHERE r.state = 'running' AND r.kind = k.value AND r.due_at <= :at)
   OR EXISTS (SELECT 1 FROM jobs q WHERE q.state = 'queued' AND q.kind = k.value
              AND (q.due_at <= :at OR q.due_at > :never)
              AND NOT EXISTS (SELECT 1 FROM jobs r
                              WHERE r.state = 'running' AND r.kind = q.kind AND r.target = q.target));
