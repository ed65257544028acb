-- What ranking must know of every message of a space, readable without reading the messages.

CREATE INDEX messages_directory ON messages
  (space_key, message_key, conversation_key, seq, role, name, created_at, importance, tokens, first_chunk, last_chunk);

-- Counts what a directory that was read earlier cannot be carried on from: a message that left, or was split anew.

ALTER TABLE spaces ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER messages_left AFTER DELETE ON messages BEGIN
  UPDATE spaces SET revision = revision + 1 WHERE space_key = OLD.space_key;
END;

CREATE TRIGGER messages_split_anew AFTER UPDATE OF first_chunk, last_chunk ON messages BEGIN
  UPDATE spaces SET revision = revision + 1 WHERE space_key = NEW.space_key;
END;
