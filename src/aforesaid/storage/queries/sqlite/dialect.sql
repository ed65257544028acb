-- The words in which SQLite differs from PostgreSQL.
--   {join_in_order}          a join whose tables SQLite must read in this order
--   {each_text}(:x)          the elements of a JSON list, with their `key` and `value`; {each_number} likewise
--   column {among x}         the column is one of the numbers in the JSON list :x
--   {json x}                 the JSON text x, for the operator ->>
--   {unindexed column}       keeps SQLite from an index of the column, where another one finds fewer rows
--   {md5}(x)                 PostgreSQL indexes x by its digest, since an index takes no long text
-- fragment: join_in_order
CROSS JOIN
-- fragment: each_text
json_each
-- fragment: each_number
json_each
-- fragment: among
IN (SELECT value FROM json_each(:argument))
-- fragment: json
argument
-- fragment: json_array
json_array
-- fragment: limit
:limit
-- fragment: greatest
max
-- fragment: least
min
-- fragment: md5
-- fragment: unindexed
+argument
