-- name: columns
SELECT c.table_name, c.column_name,
       EXISTS (SELECT 1 FROM information_schema.columns k WHERE k.table_schema = c.table_schema
               AND k.table_name = c.table_name AND k.column_name = 'space_key')::int, (c.data_type = 'tsvector')::int
FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
  AND c.data_type IN ('text', 'bytea', 'tsvector')
ORDER BY c.table_name, c.ordinal_position;

-- name: occurs
SELECT 1 FROM messages WHERE strpos(text, :part) > 0 LIMIT 1;

-- name: bytes
SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class
WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind = 'r';
