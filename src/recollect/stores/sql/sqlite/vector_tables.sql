-- New vectors stand one to a row; a thousand of them are sealed into a block that is read in one go.

CREATE TABLE IF NOT EXISTS vectors (
  space_key         INTEGER NOT NULL,
  model_key         INTEGER NOT NULL,
  message_key       INTEGER NOT NULL,
  part              INTEGER NOT NULL,  -- the chunk's number in its message; -1 is the message as a whole
  conversation_key  INTEGER NOT NULL,
  chunk_key         INTEGER NOT NULL,
  scale             REAL NOT NULL,
  data              BLOB NOT NULL,
  PRIMARY KEY (space_key, model_key, message_key, part)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS vector_blocks (
  block_key  INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice: what is cached under it stays true
  space_key  INTEGER NOT NULL,
  model_key  INTEGER NOT NULL,
  count      INTEGER NOT NULL CHECK (count > 0),
  targets    BLOB NOT NULL,
  scales     BLOB NOT NULL,
  data       BLOB NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS vector_blocks_by_space ON vector_blocks (space_key, model_key);

CREATE TABLE IF NOT EXISTS note_vectors (
  vector_key  INTEGER PRIMARY KEY AUTOINCREMENT,  -- rising: what came in since is found after it
  space_key   INTEGER NOT NULL,
  model_key   INTEGER NOT NULL,
  note_key    INTEGER NOT NULL,
  scale       REAL NOT NULL,
  data        BLOB NOT NULL
) STRICT;

CREATE UNIQUE INDEX IF NOT EXISTS note_vectors_by_model ON note_vectors (model_key, note_key);
CREATE INDEX IF NOT EXISTS note_vectors_by_note ON note_vectors (note_key);
CREATE INDEX IF NOT EXISTS note_vectors_by_space ON note_vectors (space_key, model_key);
