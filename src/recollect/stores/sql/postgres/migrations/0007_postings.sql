-- The functions that give postings are made anew, by lexical_tables.sql: a large table gave them another plan, which read
-- a whole space for every term.

DROP FUNCTION IF EXISTS chunks_having(tsquery, bigint);
DROP FUNCTION IF EXISTS notes_having(tsquery, bigint);
