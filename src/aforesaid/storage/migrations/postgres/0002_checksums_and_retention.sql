-- Every message has a checksum. The store computes those of the messages that are there already.

ALTER TABLE messages ADD COLUMN checksum bigint;

-- Retention: when messages, conversations and facts expire, and holds.

ALTER TABLE spaces ADD COLUMN expires_at bigint, ADD COLUMN hold_at bigint, ADD COLUMN hold_by text COLLATE "C",
  ADD COLUMN hold_reason text COLLATE "C";
ALTER TABLE conversations ADD COLUMN expires_at bigint;
ALTER TABLE messages ADD COLUMN expires_at bigint;
ALTER TABLE facts ADD COLUMN expires_at bigint;

CREATE INDEX spaces_expiring ON spaces (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX conversations_expiring ON conversations (space_key, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX messages_expiring ON messages (space_key, expires_at, conversation_key, seq) WHERE expires_at IS NOT NULL;
CREATE INDEX facts_expiring ON facts (space_key, expires_at) WHERE expires_at IS NOT NULL;

-- Keeps `spaces.expires_at` at or before the first expiry in the space.
CREATE FUNCTION space_expires() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE spaces SET expires_at = least(expires_at, NEW.expires_at) WHERE space_key = NEW.space_key;
  RETURN NULL;
END $$;
CREATE TRIGGER messages_expire AFTER INSERT ON messages
FOR EACH ROW WHEN (NEW.expires_at IS NOT NULL) EXECUTE FUNCTION space_expires();
CREATE TRIGGER conversations_expire AFTER INSERT OR UPDATE OF expires_at ON conversations
FOR EACH ROW WHEN (NEW.expires_at IS NOT NULL) EXECUTE FUNCTION space_expires();
CREATE TRIGGER facts_expire AFTER INSERT OR UPDATE OF expires_at ON facts
FOR EACH ROW WHEN (NEW.expires_at IS NOT NULL) EXECUTE FUNCTION space_expires();

SELECT pinned('space_expires()'::regprocedure);

DROP TRIGGER conversations_noted_changed ON conversations;
CREATE TRIGGER conversations_noted_changed
AFTER UPDATE OF status, title, outcome, model, metadata, muted, expires_at ON conversations FOR EACH ROW
WHEN ((NEW.status, NEW.title, NEW.outcome, NEW.model, NEW.metadata, NEW.muted, NEW.expires_at) IS DISTINCT FROM
      (OLD.status, OLD.title, OLD.outcome, OLD.model, OLD.metadata, OLD.muted, OLD.expires_at))
EXECUTE FUNCTION conversations_noted();

ALTER TABLE erasures DROP CONSTRAINT erasures_target_check;
ALTER TABLE erasures ADD CONSTRAINT erasures_target_check
  CHECK (target IN ('message', 'conversation', 'fact', 'before', 'everything', 'edit', 'expired'));
ALTER TABLE audit DROP CONSTRAINT audit_action_check;
ALTER TABLE audit ADD CONSTRAINT audit_action_check
  CHECK (action IN ('grant', 'revoke', 'change', 'remove', 'read', 'export', 'import', 'hold', 'release'));

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
                          last_chunk, checksum)
    VALUES (own, place, first + nth, draft ->> 'id', draft ->> 'role', draft ->> 'text', draft ->> 'parts',
            draft ->> 'name', draft ->> 'tool_calls', draft ->> 'tool_call_id', draft ->> 'model',
            (draft -> 'importance')::double precision, (draft -> 'tokens')::bigint, draft ->> 'metadata',
            (draft -> 'created_at')::bigint, (draft -> 'utc_offset')::bigint, (draft ->> 'expires_at')::bigint,
            base + (draft ->> 'first_chunk')::bigint, base + (draft ->> 'last_chunk')::bigint,
            (draft -> 'checksum')::bigint # (place * 16777216 + first + nth))  -- see checksums.of_message
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

-- The items of a receipt are packed. Older receipts stay as they are.

ALTER TABLE receipts ADD COLUMN messages bytea;
ALTER TABLE receipts ADD COLUMN items bytea;
