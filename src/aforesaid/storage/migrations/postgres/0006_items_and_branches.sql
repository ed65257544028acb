-- Items, verbatim payloads of messages, and branches.

-- ## Verbatim payloads: a message keeps the JSON text of a framework, and its metadata can change

ALTER TABLE messages ADD COLUMN raw text COLLATE "C" CHECK (raw IS NULL OR raw::json IS NOT NULL);
CREATE TRIGGER messages_metadata_changed AFTER UPDATE OF metadata ON messages
FOR EACH ROW WHEN (NEW.metadata IS DISTINCT FROM OLD.metadata) EXECUTE FUNCTION messages_metadata();
DROP TRIGGER messages_noted ON messages;
CREATE TRIGGER messages_noted AFTER INSERT OR DELETE OR UPDATE OF text, parts, metadata, raw ON messages
FOR EACH ROW EXECUTE FUNCTION messages_noted();

CREATE OR REPLACE FUNCTION append_messages(own bigint, given jsonb) RETURNS bigint
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  drafts jsonb := given -> 'drafts';
  more bigint := jsonb_array_length(drafts);
  moment bigint := given -> 'at';
  draft jsonb;
  pieces jsonb;
  piece jsonb;
  turned boolean;  -- its status or its model changes too
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
    terms = c.terms + (given -> 'terms')::bigint, updated_at = moment
  WHERE c.space_key = own AND c.id = given ->> 'conversation' AND (c.expires_at IS NULL OR c.expires_at > moment)
  RETURNING c.conversation_key, c.next_seq - more,
            (SELECT (coalesce(max(k.chunk_key), 0) / 64 + 1) * 64 FROM chunks k WHERE k.space_key = own),
            c.status <> 'active' OR c.ended_at IS NOT NULL
            OR coalesce(given ->> 'model', c.model) IS DISTINCT FROM c.model
  INTO place, first, base, turned;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF turned THEN
    UPDATE conversations c SET status = 'active', ended_at = NULL, model = coalesce(given ->> 'model', c.model)
    WHERE c.space_key = own AND c.conversation_key = place;
  END IF;
  FOR nth IN 0 .. more - 1 LOOP
    draft := drafts -> nth;
    pieces := draft -> 'pieces';
    INSERT INTO messages (space_key, conversation_key, seq, id, role, text, parts, name, tool_calls, tool_call_id,
                          model, importance, tokens, metadata, created_at, utc_offset, expires_at, first_chunk,
                          last_chunk, checksum, salience, raw)
    VALUES (own, place, first + nth, draft ->> 'id', draft ->> 'role', draft ->> 'text', draft ->> 'parts',
            draft ->> 'name', draft ->> 'tool_calls', draft ->> 'tool_call_id', draft ->> 'model',
            (draft -> 'importance')::double precision, (draft -> 'tokens')::bigint, draft ->> 'metadata',
            (draft -> 'created_at')::bigint, (draft -> 'utc_offset')::bigint, (draft ->> 'expires_at')::bigint,
            base + (draft ->> 'first_chunk')::bigint, base + (draft ->> 'last_chunk')::bigint,
            (draft -> 'checksum')::bigint # (place * 16777216 + first + nth),  -- see checksums.of_message
            (draft -> 'salience')::double precision, draft ->> 'raw')
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
