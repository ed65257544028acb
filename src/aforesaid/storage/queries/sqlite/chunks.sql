-- name: insert
INSERT INTO chunks (space_key, chunk_key, message_key, part, kind, language, start, stop, tokens, terms,
                    checksum) {values};

-- name: last_key
SELECT coalesce(max(chunk_key), 0) FROM chunks;

-- name: index
INSERT INTO chunk_terms (rowid, terms) VALUES (:chunk_key, :terms);

-- name: unindex
DELETE FROM chunk_terms WHERE rowid = :chunk_key;

-- name: frequencies
-- `terms` are lists of a term and its marked forms. A chunk that has a term often has it twice, and once.
WITH once AS MATERIALIZED (
  SELECT t.key, t.value AS forms, (SELECT group_concat(doc) FROM chunk_postings WHERE term = t.value ->> 0) AS docs
  FROM json_each(:terms) t
), twice AS MATERIALIZED (
  SELECT key, forms, docs AS once,
         CASE WHEN docs IS NOT NULL THEN (SELECT group_concat(doc) FROM chunk_postings WHERE term = forms ->> 1) END AS docs
  FROM once
)
SELECT once, docs AS twice,
       CASE WHEN docs IS NOT NULL THEN (SELECT group_concat(doc) FROM chunk_postings WHERE term = forms ->> 2) END AS often
FROM twice ORDER BY key;

-- name: postings
SELECT (SELECT group_concat(doc) FROM chunk_postings WHERE term = t.value) FROM json_each(:terms) t ORDER BY t.key;

-- name: postings_from
SELECT group_concat(doc) FROM chunk_postings WHERE term >= :term AND term < :stop;
