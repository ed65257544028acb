-- What a write begins with, and the append of messages, each as one statement: what takes a dozen takes one journey,
-- and a space is held for as long as the server works, not for as long as the network takes.

-- Says what a transaction is about and whether its end waits for the disk, holds the spaces, and counts the write. The
-- space is held before anything of it is read; what is read then is what was committed last. Gives the space's key.

CREATE FUNCTION begin_write(names text[], alone boolean, durable boolean) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  one boolean := cardinality(names) = 1;
  key bigint;
BEGIN
  PERFORM set_config('recollect.space', CASE WHEN one THEN names[1] ELSE '' END, true),
          set_config('recollect.whole', CASE WHEN one THEN '' ELSE 'on' END, true);
  IF NOT durable THEN
    PERFORM set_config('synchronous_commit', 'off', true);
  END IF;
  IF alone THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || ' store', 0));
  END IF;
  IF cardinality(names) > 0 THEN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended(current_schema() || ' store', 0));
    PERFORM pg_advisory_xact_lock(k) FROM (
      SELECT DISTINCT hashtextextended(current_schema() || ' space ' || n, 0) AS k FROM unnest(names) n ORDER BY k) t;
  END IF;
  IF one THEN
    UPDATE spaces SET version = version + 1 WHERE id = names[1] RETURNING space_key INTO key;
  ELSE
    UPDATE spaces SET version = version + 1 WHERE id = ANY (names);
  END IF;
  RETURN key;
END $$;

-- Adds messages to a conversation, as stores/nouns/messages.py does, and gives the seq of the first. Where there is no
-- such conversation yet, or a message of one of these ids, it does nothing, and gives NULL.

CREATE FUNCTION append_messages(own bigint, given json) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  place record;
  draft record;
  piece record;
  message bigint;
  base bigint;  -- chunks are given with their keys from here
BEGIN
  IF EXISTS (SELECT 1 FROM messages m WHERE m.space_key = own AND m.id = ANY (
               ARRAY(SELECT n.value COLLATE "C" FROM json_array_elements_text(given -> 'named') n))) THEN
    RETURN NULL;
  END IF;
  UPDATE conversations c SET
    next_seq = c.next_seq + g.messages, messages = c.messages + g.messages, turns = c.turns + g.turns,
    tokens = c.tokens + g.tokens, chunks = c.chunks + g.chunks, terms = c.terms + g.terms,
    model = coalesce(g.model, c.model), updated_at = g.at, status = 'active', ended_at = NULL
  FROM json_to_record(given) AS g(conversation text, messages bigint, turns bigint, tokens bigint, chunks bigint,
                                  terms bigint, model text, at bigint, distill boolean)
  WHERE c.space_key = own AND c.id = g.conversation COLLATE "C"
  RETURNING c.conversation_key AS key, c.next_seq - g.messages AS first, g.at, g.distill INTO place;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  SELECT (coalesce(max(c.chunk_key), 0) / 64 + 1) * 64 INTO base FROM chunks c WHERE c.space_key = own;
  FOR draft IN
    SELECT * FROM json_to_recordset(given -> 'drafts') AS d(
      nth bigint, id text, role text, text text, parts text, name text, tool_calls text, tool_call_id text, model text,
      importance double precision, tokens bigint, metadata text, created_at bigint, utc_offset bigint,
      first_chunk bigint, last_chunk bigint, pieces json, jobs text[])
  LOOP
    INSERT INTO messages (space_key, conversation_key, seq, id, role, text, parts, name, tool_calls, tool_call_id,
                          model, importance, tokens, metadata, created_at, utc_offset, first_chunk, last_chunk)
    VALUES (own, place.key, place.first + draft.nth, draft.id, draft.role, draft.text, draft.parts, draft.name,
            draft.tool_calls, draft.tool_call_id, draft.model, draft.importance, draft.tokens, draft.metadata,
            draft.created_at, draft.utc_offset, base + draft.first_chunk, base + draft.last_chunk)
    RETURNING message_key INTO message;
    FOR piece IN
      SELECT * FROM json_to_recordset(draft.pieces) AS p(
        chunk_key bigint, part bigint, kind text, language text, start bigint, stop bigint, tokens bigint, terms bigint,
        words text)
    LOOP
      INSERT INTO chunks (space_key, chunk_key, message_key, part, kind, language, start, stop, tokens, terms)
      VALUES (own, base + piece.chunk_key, message, piece.part, piece.kind, piece.language, piece.start, piece.stop,
              piece.tokens, piece.terms);
      IF piece.words IS NOT NULL THEN
        INSERT INTO chunk_terms (space_key, chunk_key, terms)
        VALUES (own, base + piece.chunk_key, array_to_tsvector(string_to_array(
          'c' || place.key || replace(piece.words, ' ', ' ' || own), ' ')));
      END IF;
    END LOOP;
    INSERT INTO jobs (state, kind, target, about, space_key, due_at, created_at)
    SELECT 'queued', k, message, 'message', own, place.at, place.at FROM unnest(draft.jobs) k
    ON CONFLICT DO NOTHING;
  END LOOP;
  IF place.distill THEN
    INSERT INTO jobs (state, kind, target, about, space_key, due_at, created_at)
    VALUES ('queued', 'distill', place.key, 'conversation', own, place.at, place.at) ON CONFLICT DO NOTHING;
  END IF;
  RETURN place.first;
END $$;

-- Several appends to one space, as a whole transaction. Each one's first seq, or NULL, in their order.

CREATE FUNCTION append_all(space text, given json, durable boolean) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
DECLARE
  own bigint := begin_write(ARRAY[space], false, durable);
  one json;
BEGIN
  FOR one IN SELECT e.value FROM json_array_elements(given) e LOOP
    RETURN NEXT CASE WHEN own IS NOT NULL THEN append_messages(own, one) END;
  END LOOP;
END $$;
