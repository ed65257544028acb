-- An index of the metadata of messages and conversations, for filters, and feedback on recalled messages.

-- What a person, or a quote in an answer, says about a message as the answer to a question: numbers only. `question` and
-- `terms` are hashes of the question's terms.
CREATE TABLE feedback (
  space_key    INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  message_key  INTEGER NOT NULL,
  question     INTEGER NOT NULL,
  terms        TEXT NOT NULL CHECK (json_valid(terms)),
  verdict      TEXT NOT NULL CHECK (verdict IN ('useful', 'useless', 'quoted')),
  at           INTEGER NOT NULL,
  PRIMARY KEY (space_key, message_key, question)
) STRICT, WITHOUT ROWID;
CREATE INDEX feedback_by_time ON feedback (space_key, at, message_key, question);

-- A value in the metadata of a message or a conversation, for filters. `field` is its path: the keys, joined by dots. An
-- element of a list has the field of the list. A number has the text '', a boolean is the number 1 or 0, and every other
-- value has the number 0. Of a text and a field, the first 200 characters are stored.
CREATE TABLE metadata_values (
  space_key   INTEGER NOT NULL,
  record      TEXT NOT NULL CHECK (record IN ('message', 'conversation')),
  record_key  INTEGER NOT NULL,
  field       TEXT NOT NULL,
  type        TEXT NOT NULL CHECK (type IN ('text', 'number', 'boolean', 'null', 'object', 'array')),
  number      REAL NOT NULL,
  text        TEXT NOT NULL,
  PRIMARY KEY (space_key, record, record_key, field, type, number, text)
) STRICT, WITHOUT ROWID;
CREATE INDEX metadata_values_by_field ON metadata_values (space_key, record, field, type, number, text, record_key);

-- An INSERT into this view adds the values of a JSON text.
CREATE VIEW metadata_texts AS SELECT space_key, record, record_key, text AS metadata FROM metadata_values;

CREATE TRIGGER metadata_texts_split INSTEAD OF INSERT ON metadata_texts
BEGIN
  INSERT OR IGNORE INTO metadata_values (space_key, record, record_key, field, type, number, text)
  SELECT NEW.space_key, NEW.record, NEW.record_key, substr(field, 1, 200),
         CASE type WHEN 'integer' THEN 'number' WHEN 'real' THEN 'number' WHEN 'true' THEN 'boolean'
                   WHEN 'false' THEN 'boolean' ELSE type END,
         CASE WHEN type IN ('integer', 'real', 'true', 'false') THEN value ELSE 0 END,
         CASE type WHEN 'text' THEN substr(value, 1, 200) ELSE '' END
  FROM (
    WITH RECURSIVE tree (field, type, value) AS (
      SELECT key, type, value FROM json_each(NEW.metadata)
      UNION ALL
      SELECT CASE t.type WHEN 'object' THEN t.field || '.' || e.key ELSE t.field END, e.type, e.value
      FROM tree t JOIN json_each(t.value) e WHERE t.type IN ('object', 'array'))
    SELECT field, type, value FROM tree);
END;

CREATE TRIGGER messages_metadata AFTER INSERT ON messages WHEN NEW.metadata IS NOT NULL
BEGIN INSERT INTO metadata_texts VALUES (NEW.space_key, 'message', NEW.message_key, NEW.metadata); END;
CREATE TRIGGER messages_metadata_removed AFTER DELETE ON messages WHEN OLD.metadata IS NOT NULL
BEGIN
  DELETE FROM metadata_values
  WHERE space_key = OLD.space_key AND record = 'message' AND record_key = OLD.message_key;
END;

CREATE TRIGGER conversations_metadata AFTER INSERT ON conversations WHEN NEW.metadata IS NOT NULL
BEGIN INSERT INTO metadata_texts VALUES (NEW.space_key, 'conversation', NEW.conversation_key, NEW.metadata); END;
CREATE TRIGGER conversations_metadata_changed AFTER UPDATE OF metadata ON conversations
WHEN NEW.metadata IS NOT OLD.metadata
BEGIN
  DELETE FROM metadata_values
  WHERE space_key = OLD.space_key AND record = 'conversation' AND record_key = OLD.conversation_key;
  INSERT INTO metadata_texts
  SELECT NEW.space_key, 'conversation', NEW.conversation_key, NEW.metadata WHERE NEW.metadata IS NOT NULL;
END;
CREATE TRIGGER conversations_metadata_removed AFTER DELETE ON conversations WHEN OLD.metadata IS NOT NULL
BEGIN
  DELETE FROM metadata_values
  WHERE space_key = OLD.space_key AND record = 'conversation' AND record_key = OLD.conversation_key;
END;

INSERT INTO metadata_texts
SELECT space_key, 'message', message_key, metadata FROM messages WHERE metadata IS NOT NULL
UNION ALL
SELECT space_key, 'conversation', conversation_key, metadata FROM conversations WHERE metadata IS NOT NULL;
