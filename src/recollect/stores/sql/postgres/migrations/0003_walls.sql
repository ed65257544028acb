-- A second wall between spaces. Every transaction says what it is about: one space, by name (`recollect.space`), or the
-- whole store (`recollect.whole`). The database shows it nothing else, whatever its statements ask for.

CREATE FUNCTION whole() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT coalesce(current_setting('recollect.whole', true), '') = 'on' $$;

CREATE FUNCTION scope() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT s.space_key FROM spaces s WHERE s.id = current_setting('recollect.space', true) $$;

CREATE FUNCTION wall(name text, condition text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
  IF NOT EXISTS (SELECT 1 FROM pg_policy WHERE polrelid = to_regclass(quote_ident(name))) THEN
    EXECUTE format('CREATE POLICY own_space ON %I USING ((SELECT whole()) OR %s)', name, condition);
  END IF;
END $$;

SELECT wall(name, 'space_key = (SELECT scope())') FROM unnest(ARRAY[
  'conversations', 'messages', 'chunks', 'pins', 'pin_marks', 'mentions', 'preferences', 'progress', 'lineage',
  'accesses', 'retrievals', 'receipts', 'costs', 'summaries', 'consents', 'profiles', 'audit', 'facts', 'evidence',
  'fact_marks', 'relations', 'closings', 'episodes', 'removed_episodes', 'erasures', 'gaps', 'notes', 'note_labels',
  'consolidations', 'consolidation_steps', 'changes']) name;

SELECT wall('spaces', 'id = current_setting(''recollect.space'', true)');
SELECT wall('jobs', '(space_key = 0 OR space_key = (SELECT scope()))');
