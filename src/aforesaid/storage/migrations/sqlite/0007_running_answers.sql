-- Answers that models write now.

-- An answer that a model writes now to a message, in a conversation that has the message. A process holds it by a
-- lease until `due_at`; another one may begin anew after that. Its text is only in the process that writes it.
CREATE TABLE running_answers (
  space_key         INTEGER NOT NULL,
  conversation_key  INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  message_key       INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
  holder            TEXT NOT NULL,
  model             TEXT NOT NULL,
  retries           INTEGER NOT NULL DEFAULT 0,
  stopping          INTEGER NOT NULL DEFAULT 0 CHECK (stopping IN (0, 1)),
  begun_at          INTEGER NOT NULL,
  due_at            INTEGER NOT NULL,
  PRIMARY KEY (conversation_key, message_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX running_answers_by_message ON running_answers (message_key);
