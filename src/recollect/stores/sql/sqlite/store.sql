-- name: text_bytes
SELECT total(length(CAST(text AS BLOB))) FROM messages;

-- name: size
SELECT name, sum(pgsize) FROM dbstat GROUP BY name;
