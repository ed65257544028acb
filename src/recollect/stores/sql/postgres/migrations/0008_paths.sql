-- A function that the server runs as the owner of the tables looks for names in their schema alone: what a session makes
-- for itself (`pg_temp`) comes last, else it could stand in for a table. Those are the functions that give postings, and
-- those of triggers: what is deleted along with something else is deleted by the owner.

CREATE FUNCTION pinned(function regprocedure) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', function, current_schema());
END $$;

SELECT pinned(format('%I()', name)::regprocedure) FROM unnest(ARRAY[
  'spaces_noted', 'conversations_noted', 'messages_noted', 'records_noted', 'facts_noted', 'relations_noted',
  'thing_noted', 'messages_left', 'messages_split_anew', 'audit_kept']) name;

-- Fails for a role that may not read a table: what the owner does for others, it does for those who could do it too.

CREATE FUNCTION refuse_stranger(name text) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE asker text := coalesce(nullif(current_setting('role'), 'none'), session_user);
BEGIN
  IF NOT has_table_privilege(asker, format('%I', name), 'SELECT') THEN
    RAISE insufficient_privilege USING MESSAGE = format('permission denied for table %I', name);
  END IF;
END $$;
