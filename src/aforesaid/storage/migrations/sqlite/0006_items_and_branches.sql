-- Items, verbatim payloads of messages, and branches.

-- ## Verbatim payloads: a message keeps the JSON text of a framework, and its metadata can change

ALTER TABLE messages ADD COLUMN raw TEXT CHECK (raw IS NULL OR json_valid(raw));
CREATE TRIGGER messages_metadata_changed AFTER UPDATE OF metadata ON messages WHEN NEW.metadata IS NOT OLD.metadata
BEGIN
  DELETE FROM metadata_values
  WHERE space_key = OLD.space_key AND record = 'message' AND record_key = OLD.message_key;
  INSERT INTO metadata_texts
  SELECT NEW.space_key, 'message', NEW.message_key, NEW.metadata WHERE NEW.metadata IS NOT NULL;
END;
DROP TRIGGER messages_noted_changed;
CREATE TRIGGER messages_noted_changed AFTER UPDATE OF text, parts, metadata, raw ON messages
BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'message', 'changed', NEW.conversation_key, NEW.message_key, NEW.seq);
END;
