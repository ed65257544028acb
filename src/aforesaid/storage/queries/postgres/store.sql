-- name: size
SELECT relname, pg_total_relation_size(oid) FROM pg_class
WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind = 'r';
