-- name: turn
SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' rate ' || :principal, 0));

-- name: given
SELECT stretch, count FROM rates WHERE principal = :principal AND stretch >= :before;

-- name: give
INSERT INTO rates (principal, stretch, count) VALUES (:principal, :stretch, :count)
ON CONFLICT (principal, stretch) DO UPDATE SET count = rates.count + excluded.count;

-- name: forget
DELETE FROM rates WHERE principal = :principal AND stretch < :before;
