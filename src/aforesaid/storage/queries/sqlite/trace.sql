-- name: columns
SELECT name FROM pragma_table_info(:table) WHERE upper(type) NOT IN ('INTEGER', 'REAL') ORDER BY cid;

-- name: occurs
SELECT 1 FROM messages WHERE instr(text, :part) LIMIT 1;

-- name: tables
SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL TABLE%' ORDER BY name;

-- name: all_columns
SELECT name FROM pragma_table_info(:table);

-- name: keys
SELECT name FROM pragma_table_info(:table) WHERE pk > 0 ORDER BY pk;

-- name: indexes
SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE % USING fts5(%';

-- name: own
SELECT sql FROM sqlite_master WHERE sql IS NOT NULL UNION ALL SELECT name FROM migrations
UNION ALL SELECT DISTINCT iif(t.key IN ('reason', 'kind', 'section', 'fill', 'name'), t.key || ' ' || t.atom, t.key)
FROM (SELECT body FROM receipts ORDER BY receipt_key DESC LIMIT 20) r, json_tree(r.body) t
WHERE typeof(t.key) = 'text';
