-- Answers that models write now.

-- An answer that a model writes now to a message, in a conversation that has the message. A process holds it by a
-- lease until `due_at`; another one may begin anew after that. Its text is only in the process that writes it.
CREATE TABLE running_answers (
  space_key         bigint NOT NULL,
  conversation_key  bigint NOT NULL,
  message_key       bigint NOT NULL,
  holder            text COLLATE "C" NOT NULL,
  model             text COLLATE "C" NOT NULL,
  retries           bigint NOT NULL DEFAULT 0,
  stopping          bigint NOT NULL DEFAULT 0 CHECK (stopping IN (0, 1)),
  begun_at          bigint NOT NULL,
  due_at            bigint NOT NULL,
  PRIMARY KEY (space_key, conversation_key, message_key),
  FOREIGN KEY (space_key, conversation_key) REFERENCES conversations ON DELETE CASCADE,
  FOREIGN KEY (space_key, message_key) REFERENCES messages ON DELETE CASCADE
);
CREATE INDEX running_answers_by_message ON running_answers (space_key, message_key);

SELECT wall('running_answers', 'space_key = (SELECT scope())');
