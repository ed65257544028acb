-- An index of the metadata of messages and conversations, for filters, and feedback on recalled messages.

-- What a person, or a quote in an answer, says about a message as the answer to a question: numbers only. `question` and
-- `terms` are hashes of the question's terms.
CREATE TABLE feedback (
  space_key    bigint NOT NULL REFERENCES spaces ON DELETE CASCADE,
  message_key  bigint NOT NULL,
  question     bigint NOT NULL,
  terms        text COLLATE "C" NOT NULL CHECK (terms::json IS NOT NULL),
  verdict      text COLLATE "C" NOT NULL CHECK (verdict IN ('useful', 'useless', 'quoted')),
  at           bigint NOT NULL,
  PRIMARY KEY (space_key, message_key, question)
);
CREATE INDEX feedback_by_time ON feedback (space_key, at, message_key, question);

-- A value in the metadata of a message or a conversation, for filters. `field` is its path: the keys, joined by dots. An
-- element of a list has the field of the list. A number has the text '', a boolean is the number 1 or 0, and every other
-- value has the number 0. Of a text and a field, the first 200 characters are stored.
CREATE TABLE metadata_values (
  space_key   bigint NOT NULL,
  record      text COLLATE "C" NOT NULL CHECK (record IN ('message', 'conversation')),
  record_key  bigint NOT NULL,
  field       text COLLATE "C" NOT NULL,
  type        text COLLATE "C" NOT NULL CHECK (
                type IN ('text', 'number', 'boolean', 'null', 'object', 'array')),
  number      double precision NOT NULL,
  text        text COLLATE "C" NOT NULL,
  PRIMARY KEY (space_key, record, record_key, field, type, number, text)
);
CREATE INDEX metadata_values_by_field ON metadata_values (space_key, record, field, type, number, text, record_key);

-- The values in the metadata of a record. A number that is too large for its type is infinite.
CREATE FUNCTION values_in_metadata(metadata text) RETURNS TABLE (field text, type text, number double precision, text text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH RECURSIVE tree (field, value) AS (
    SELECT e.key, e.value FROM jsonb_each(metadata::jsonb) e
    UNION ALL
    SELECT e.field, e.value FROM tree t CROSS JOIN LATERAL (
      SELECT t.field || '.' || o.key, o.value
      FROM jsonb_each(CASE jsonb_typeof(t.value) WHEN 'object' THEN t.value ELSE '{}' END) o
      UNION ALL
      SELECT t.field, a.value
      FROM jsonb_array_elements(CASE jsonb_typeof(t.value) WHEN 'array' THEN t.value ELSE '[]' END) a) e (field, value)),
  typed AS (SELECT t.field, t.value, jsonb_typeof(t.value) AS kind FROM tree t)
  SELECT DISTINCT left(v.field, 200), CASE v.kind WHEN 'string' THEN 'text' ELSE v.kind END,
         CASE WHEN v.kind = 'boolean' THEN v.value::boolean::int WHEN v.kind <> 'number' THEN 0
              WHEN abs(v.value::numeric) > 1.7976931348623157e308 THEN sign(v.value::numeric) * 'Infinity'::float8
              ELSE v.value::double precision END,
         CASE v.kind WHEN 'string' THEN left(v.value #>> '{}', 200) ELSE '' END
  FROM typed v $$;

CREATE FUNCTION store_metadata(space bigint, what text, key bigint, metadata text) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off AS $$ BEGIN
  DELETE FROM metadata_values v WHERE v.space_key = space AND v.record = what AND v.record_key = key;
  IF metadata IS NOT NULL THEN
    INSERT INTO metadata_values (space_key, record, record_key, field, type, number, text)
    SELECT space, what, key, l.field, l.type, l.number, l.text FROM values_in_metadata(metadata) l;
  END IF;
END $$;

CREATE FUNCTION messages_metadata() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM store_metadata(OLD.space_key, 'message', OLD.message_key, NULL);
  ELSE
    PERFORM store_metadata(NEW.space_key, 'message', NEW.message_key, NEW.metadata);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER messages_metadata AFTER INSERT ON messages
FOR EACH ROW WHEN (NEW.metadata IS NOT NULL) EXECUTE FUNCTION messages_metadata();
CREATE TRIGGER messages_metadata_removed AFTER DELETE ON messages
FOR EACH ROW WHEN (OLD.metadata IS NOT NULL) EXECUTE FUNCTION messages_metadata();

CREATE FUNCTION conversations_metadata() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM store_metadata(OLD.space_key, 'conversation', OLD.conversation_key, NULL);
  ELSE
    PERFORM store_metadata(NEW.space_key, 'conversation', NEW.conversation_key, NEW.metadata);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER conversations_metadata AFTER INSERT ON conversations
FOR EACH ROW WHEN (NEW.metadata IS NOT NULL) EXECUTE FUNCTION conversations_metadata();
CREATE TRIGGER conversations_metadata_changed AFTER UPDATE OF metadata ON conversations
FOR EACH ROW WHEN (NEW.metadata IS DISTINCT FROM OLD.metadata) EXECUTE FUNCTION conversations_metadata();
CREATE TRIGGER conversations_metadata_removed AFTER DELETE ON conversations
FOR EACH ROW WHEN (OLD.metadata IS NOT NULL) EXECUTE FUNCTION conversations_metadata();

SELECT wall('metadata_values', 'space_key = (SELECT scope())'), wall('feedback', 'space_key = (SELECT scope())');
SELECT pinned('messages_metadata()'), pinned('conversations_metadata()'),
       pinned('store_metadata(bigint, text, bigint, text)');

SELECT set_config('aforesaid.whole', 'on', true);
SELECT store_metadata(space_key, 'message', message_key, metadata) FROM messages WHERE metadata IS NOT NULL;
SELECT store_metadata(space_key, 'conversation', conversation_key, metadata) FROM conversations WHERE metadata IS NOT NULL;
