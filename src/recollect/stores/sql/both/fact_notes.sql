-- name: closed_by
SELECT fact_key FROM closings WHERE space_key = :space_key AND by_key = :fact_key AND undone_at IS NULL;
