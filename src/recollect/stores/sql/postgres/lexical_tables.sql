-- Rebuilt from the log by `doctor --repair`. Terms are made by recollect.text.terms and carry their space.
--
-- The database itself may not use a full-text index behind the wall, since its operators may tell what they see. So the
-- wall of these two tables does not bind their owner, and they are asked through functions of the owner's, which look
-- at the space themselves: at the rows that the term has found (`+ 0`), since those of the space are many more. They
-- answer nobody who may not read the table.

CREATE TABLE IF NOT EXISTS chunk_terms (
  space_key  bigint NOT NULL,
  chunk_key  bigint NOT NULL,
  terms      tsvector NOT NULL,
  PRIMARY KEY (space_key, chunk_key)
);

CREATE INDEX IF NOT EXISTS chunk_terms_by_term ON chunk_terms USING gin (terms) WITH (fastupdate = off);

CREATE TABLE IF NOT EXISTS note_terms (
  space_key  bigint NOT NULL,
  note_key   bigint NOT NULL,
  terms      tsvector NOT NULL,
  PRIMARY KEY (space_key, note_key)
);

CREATE INDEX IF NOT EXISTS note_terms_by_note ON note_terms (note_key);
CREATE INDEX IF NOT EXISTS note_terms_by_term ON note_terms USING gin (terms) WITH (fastupdate = off);

SELECT wall('chunk_terms', 'space_key = (SELECT scope())'), wall('note_terms', 'space_key = (SELECT scope())');

ALTER TABLE chunk_terms NO FORCE ROW LEVEL SECURITY;
ALTER TABLE note_terms NO FORCE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION chunks_having(asked tsquery, most bigint) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
DECLARE own bigint := CASE WHEN whole() THEN NULL ELSE coalesce(scope(), -1) END;
BEGIN
  PERFORM refuse_stranger('chunk_terms');
  RETURN (SELECT string_agg(t.chunk_key::text, ',') FROM (
    SELECT c.chunk_key FROM chunk_terms c WHERE c.terms @@ asked AND (own IS NULL OR c.space_key + 0 = own) LIMIT most) t);
END $$;

CREATE OR REPLACE FUNCTION notes_having(asked tsquery, most bigint) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
DECLARE own bigint := CASE WHEN whole() THEN NULL ELSE coalesce(scope(), -1) END;
BEGIN
  PERFORM refuse_stranger('note_terms');
  RETURN (SELECT string_agg(t.note_key::text, ',') FROM (
    SELECT n.note_key FROM note_terms n WHERE n.terms @@ asked AND (own IS NULL OR n.space_key + 0 = own) LIMIT most) t);
END $$;

SELECT pinned('chunks_having(tsquery, bigint)'), pinned('notes_having(tsquery, bigint)');
