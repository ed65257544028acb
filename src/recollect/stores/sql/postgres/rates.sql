-- name: turn
SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' rate ' || :principal, 0));

-- name: give
INSERT INTO rates (principal, stretch, count) VALUES (:principal, :stretch, :count)
ON CONFLICT (principal, stretch) DO UPDATE SET count = rates.count + excluded.count;
