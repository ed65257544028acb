-- name: posted
SELECT 1 FROM chunk_postings WHERE term = :term LIMIT 1;
