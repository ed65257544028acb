-- name: delete
DELETE FROM facts WHERE space_key = :space_key AND fact_key = :fact_key;
