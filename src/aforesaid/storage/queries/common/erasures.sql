-- name: add
INSERT INTO erasures (space_key, at, id, target, until, portions, pending)
VALUES (:space_key, :at, :id, :target, :at, :portions, :pending);

-- name: list
SELECT id, :space AS space, at, target, portions, pending FROM erasures
WHERE space_key = {named_space} ORDER BY at DESC, id DESC LIMIT :limit;

-- name: open
SELECT space_key, at, id, until > at AS late FROM erasures WHERE pending <> '[]';

-- name: late_receipts
DELETE FROM receipts WHERE space_key = :space_key AND at >= :at AND at <= :until;

-- name: pend
UPDATE erasures SET pending = :pending WHERE space_key = :space_key AND at = :at AND id = :id;

-- name: due
UPDATE jobs SET due_at = :at, error = :error WHERE state = 'queued' AND kind = 'scrub' AND target = 0;

-- name: unqueue
DELETE FROM jobs WHERE state = 'queued' AND kind = 'scrub' AND target = 0;

-- name: until
UPDATE erasures SET until = {greatest}(until, :until) WHERE space_key = :space_key AND at = :at AND id = :id;
