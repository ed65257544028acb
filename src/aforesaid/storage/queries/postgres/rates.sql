-- name: turn
SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' rate ' || :principal, 0));
