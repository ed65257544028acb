-- name: turn
SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' costs', 0));
