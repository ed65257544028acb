-- name: counts
SELECT (SELECT count(*) FROM spaces), (SELECT count(*) FROM conversations), (SELECT count(*) FROM messages),
       (SELECT count(*) FROM chunks);

-- name: text_bytes
SELECT total(length(CAST(text AS BLOB))) FROM messages;

-- name: size
SELECT name, sum(pgsize) FROM dbstat GROUP BY name;

-- name: version
SELECT max(version) FROM migrations;
