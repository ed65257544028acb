-- Every message has a salience. The store computes those of the messages that are there already.

ALTER TABLE messages ADD COLUMN salience REAL;
DROP INDEX messages_directory;
CREATE INDEX messages_directory ON messages  -- all that ranking needs of a message, without its text
  (space_key, message_key, conversation_key, seq, role, name, created_at, importance, tokens, first_chunk, last_chunk,
   salience);
