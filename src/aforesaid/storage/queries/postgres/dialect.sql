-- The words in which PostgreSQL differs from SQLite, as explained in sqlite/dialect.sql.
-- fragment: join_in_order
JOIN
-- fragment: each_text
each_text
-- fragment: each_number
each_number
-- fragment: among
= ANY (ARRAY(SELECT value FROM each_number(:argument)))
-- fragment: json
argument::json
-- fragment: json_array
json_build_array
-- fragment: limit
nullif(CAST(:limit AS bigint), -1)
-- fragment: greatest
greatest
-- fragment: least
least
-- fragment: md5
md5
-- fragment: unindexed
argument
