-- name: wait
SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || CAST(:name AS text), 0));
