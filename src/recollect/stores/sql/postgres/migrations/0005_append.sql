-- What a write begins with, and the append of messages, each as one statement: what took a dozen journeys takes one,
-- and a space is held for as long as the server works, not for as long as the network takes.

-- Says what a transaction is about and whether its end waits for the disk, holds the spaces, and counts the write. A
-- space is held before anything of it is read: each statement of a function sees what was committed before it began.
-- Gives the key of the space, where it is one.

CREATE FUNCTION begin_write(names text[], alone boolean, durable boolean) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  key bigint;
BEGIN
  IF NOT durable THEN
    PERFORM set_config('synchronous_commit', 'off', true);
  END IF;
  IF cardinality(names) = 1 THEN
    PERFORM set_config('recollect.space', names[1], true), set_config('recollect.whole', '', true);
  ELSE
    PERFORM set_config('recollect.space', '', true), set_config('recollect.whole', 'on', true);
  END IF;
  IF alone THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || ' store', 0));
  ELSIF cardinality(names) > 0 THEN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended(current_schema() || ' store', 0));
  END IF;
  IF cardinality(names) = 1 THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || ' space ' || names[1], 0));
    UPDATE spaces SET version = version + 1 WHERE id = names[1] RETURNING space_key INTO key;
  ELSIF cardinality(names) > 1 THEN
    PERFORM pg_advisory_xact_lock(k) FROM (
      SELECT DISTINCT hashtextextended(current_schema() || ' space ' || n, 0) AS k FROM unnest(names) n ORDER BY k) t;
    UPDATE spaces SET version = version + 1 WHERE id = ANY (names);
  END IF;
  RETURN key;
END $$;

-- Adds new messages to a conversation, as stores/nouns/messages.py does with statements of its own, and gives the seq of
-- the first. Where there is no such conversation yet, or one of the ids is taken, it does nothing and gives NULL; where
-- they were made under settings that are others by now, -1.
-- Chunks come with keys that count from 0, their terms each with a space before it, where the key of the space belongs.
-- A plan that was made while the tables were small is kept: it must not be one that reads a whole space.

CREATE FUNCTION append_messages(own bigint, given jsonb) RETURNS bigint
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  drafts jsonb := given -> 'drafts';
  more bigint := jsonb_array_length(drafts);
  moment bigint := given -> 'at';
  draft jsonb;
  pieces jsonb;
  piece jsonb;
  place bigint;
  first bigint;
  base bigint;
  message bigint;
BEGIN
  IF given -> 'under' <> 'null' AND given -> 'under' <> (
    SELECT coalesce(jsonb_object_agg(p.name, p.value::jsonb), '{}') FROM preferences p WHERE p.space_key = own) THEN
    RETURN -1;
  END IF;
  IF given -> 'named' <> '[]' AND EXISTS (
    SELECT 1 FROM messages m
    WHERE m.space_key = own AND m.id = ANY (
      ARRAY(SELECT n COLLATE "C" FROM jsonb_array_elements_text(given -> 'named') n))) THEN
    RETURN NULL;
  END IF;
  UPDATE conversations c SET
    next_seq = c.next_seq + more, messages = c.messages + more, turns = c.turns + (given -> 'turns')::bigint,
    tokens = c.tokens + (given -> 'tokens')::bigint, chunks = c.chunks + (given -> 'chunks')::bigint,
    terms = c.terms + (given -> 'terms')::bigint, model = coalesce(given ->> 'model', c.model), updated_at = moment,
    status = 'active', ended_at = NULL
  WHERE c.space_key = own AND c.id = given ->> 'conversation'
  RETURNING c.conversation_key, c.next_seq - more,
            (SELECT (coalesce(max(k.chunk_key), 0) / 64 + 1) * 64 FROM chunks k WHERE k.space_key = own)
  INTO place, first, base;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  FOR nth IN 0 .. more - 1 LOOP
    draft := drafts -> nth;
    pieces := draft -> 'pieces';
    INSERT INTO messages (space_key, conversation_key, seq, id, role, text, parts, name, tool_calls, tool_call_id,
                          model, importance, tokens, metadata, created_at, utc_offset, first_chunk, last_chunk)
    VALUES (own, place, first + nth, draft ->> 'id', draft ->> 'role', draft ->> 'text', draft ->> 'parts',
            draft ->> 'name', draft ->> 'tool_calls', draft ->> 'tool_call_id', draft ->> 'model',
            (draft -> 'importance')::double precision, (draft -> 'tokens')::bigint, draft ->> 'metadata',
            (draft -> 'created_at')::bigint, (draft -> 'utc_offset')::bigint,
            base + (draft ->> 'first_chunk')::bigint, base + (draft ->> 'last_chunk')::bigint)
    RETURNING message_key INTO message;
    FOR part IN 0 .. jsonb_array_length(pieces) - 1 LOOP
      piece := pieces -> part;
      INSERT INTO chunks (space_key, chunk_key, message_key, part, kind, language, start, stop, tokens, terms)
      VALUES (own, base + (piece -> 'chunk_key')::bigint, message, part, piece ->> 'kind', piece ->> 'language',
              (piece -> 'start')::bigint, (piece -> 'stop')::bigint, (piece -> 'tokens')::bigint,
              (piece -> 'terms')::bigint);
      IF piece ? 'words' THEN
        INSERT INTO chunk_terms (space_key, chunk_key, terms)
        VALUES (own, base + (piece -> 'chunk_key')::bigint, array_to_tsvector(
                string_to_array('c' || place || replace(piece ->> 'words', ' ', ' ' || own), ' ')));
      END IF;
    END LOOP;
    INSERT INTO jobs (state, kind, target, about, space_key, due_at, created_at)
    SELECT 'queued', kind, CASE kind WHEN 'distill' THEN place ELSE message END,
           CASE kind WHEN 'distill' THEN 'conversation' ELSE 'message' END, own, moment, moment
    FROM jsonb_array_elements_text(draft -> 'jobs') kind
    ON CONFLICT DO NOTHING;
  END LOOP;
  RETURN first;
END $$;

-- Several such appends to one space, as a transaction of their own: the first seq of each, or NULL, in their order.

CREATE FUNCTION append_all(space text, given jsonb, durable boolean) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
DECLARE
  own bigint := begin_write(ARRAY[space], false, durable);
BEGIN
  FOR nth IN 0 .. jsonb_array_length(given) - 1 LOOP
    RETURN NEXT CASE WHEN own IS NOT NULL THEN append_messages(own, given -> nth) END;
  END LOOP;
END $$;

-- A message that is added is noted by one statement: this is done more often than all else.

CREATE OR REPLACE FUNCTION messages_noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO changes (space_key, number, kind, action, conversation_key, record_key, seq, at)
    VALUES (NEW.space_key,
            (SELECT c.number FROM changes c WHERE c.space_key = NEW.space_key ORDER BY c.number DESC LIMIT 1) + 1,
            'message', 'added', NEW.conversation_key, NEW.message_key, NEW.seq,
            extract(epoch FROM clock_timestamp())::bigint);
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM note_change(OLD.space_key, 'message', 'removed', OLD.conversation_key, NULL, OLD.seq);
  ELSE
    PERFORM note_change(NEW.space_key, 'message', 'changed', NEW.conversation_key, NEW.message_key, NEW.seq);
  END IF;
  RETURN NULL;
END $$;

-- A space's settings, asked for in one statement: it says itself what it is about.

CREATE FUNCTION preferences_of(space text) RETURNS TABLE (name text, value text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('recollect.space', space, true), set_config('recollect.whole', '', true);
  RETURN QUERY SELECT p.name, p.value FROM preferences p JOIN spaces s USING (space_key) WHERE s.id = space;
END $$;
