-- name: records
SELECT (SELECT count(*) FROM summaries WHERE space_key = :space_key AND status = 'completed'),
       (SELECT count(*) FROM pins WHERE space_key = :space_key),
       (SELECT count(*) FROM facts WHERE space_key = :space_key),
       (SELECT count(*) FROM episodes WHERE space_key = :space_key);
