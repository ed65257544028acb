-- name: insert
INSERT INTO chunks (space_key, chunk_key, message_key, part, kind, language, start, stop, tokens, terms,
                    checksum) {values};

-- name: last_key
SELECT coalesce(max(chunk_key), 0) FROM chunks;

-- name: index
INSERT INTO chunk_terms (rowid, terms) VALUES (:chunk_key, :terms);

-- name: unindex
DELETE FROM chunk_terms WHERE rowid = :chunk_key;

-- name: postings
SELECT (SELECT group_concat(doc) FROM chunk_postings WHERE term = t.value) FROM json_each(:terms) t ORDER BY t.key;

-- name: postings_from
SELECT group_concat(doc) FROM chunk_postings WHERE term >= :term AND term < :stop;
