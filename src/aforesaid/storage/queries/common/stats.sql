-- name: records
SELECT (SELECT count(*) FROM summaries WHERE space_key = :space_key AND status = 'completed') AS summaries,
       (SELECT count(*) FROM pins WHERE space_key = :space_key) AS pins,
       (SELECT count(*) FROM facts WHERE space_key = :space_key) AS facts,
       (SELECT count(*) FROM episodes WHERE space_key = :space_key) AS episodes,
       (SELECT count(*) FROM items WHERE space_key = :space_key) AS items;

-- name: counts
SELECT count(*) AS conversations, CAST(coalesce(sum(messages), 0) AS bigint) AS messages,
       CAST(coalesce(sum(chunks), 0) AS bigint) AS chunks, CAST(coalesce(sum(terms), 0) AS bigint) AS terms
FROM conversations WHERE space_key = :space_key;

-- name: text
SELECT CAST(coalesce(sum(octet_length(text)), 0) AS bigint) AS bytes FROM messages WHERE space_key = :space_key;
