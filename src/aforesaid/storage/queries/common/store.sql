-- name: counts
SELECT (SELECT count(*) FROM spaces) AS spaces, (SELECT count(*) FROM conversations) AS conversations,
       (SELECT count(*) FROM messages) AS messages, (SELECT count(*) FROM chunks) AS chunks;

-- name: spaces
SELECT space_key FROM spaces;

-- name: version
SELECT max(version) FROM migrations;

-- name: text_bytes
SELECT CAST(coalesce(sum(octet_length(text)), 0) AS bigint) AS bytes FROM messages;
