-- name: posted
SELECT 1 WHERE chunks_having(quote_literal(:term)::tsquery, 1) IS NOT NULL;
