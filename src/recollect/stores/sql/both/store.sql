-- name: counts
SELECT (SELECT count(*) FROM spaces), (SELECT count(*) FROM conversations), (SELECT count(*) FROM messages),
       (SELECT count(*) FROM chunks);

-- name: version
SELECT max(version) FROM migrations;
