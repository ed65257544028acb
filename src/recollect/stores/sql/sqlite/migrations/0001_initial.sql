-- The truth: spaces, conversations, messages. Times are microseconds since 1970 in UTC.

CREATE TABLE spaces (
  space_key   INTEGER PRIMARY KEY AUTOINCREMENT,
  id          TEXT NOT NULL UNIQUE,
  created_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE conversations (
  conversation_key  INTEGER PRIMARY KEY AUTOINCREMENT,
  space_key         INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  id                TEXT NOT NULL,
  status            TEXT NOT NULL CHECK (status IN ('active', 'paused', 'ended')),
  title             TEXT,
  outcome           TEXT,
  model             TEXT,
  next_seq          INTEGER NOT NULL DEFAULT 0 CHECK (next_seq >= 0),
  messages          INTEGER NOT NULL DEFAULT 0 CHECK (messages >= 0),
  turns             INTEGER NOT NULL DEFAULT 0 CHECK (turns >= 0),
  tokens            INTEGER NOT NULL DEFAULT 0 CHECK (tokens >= 0),
  chunks            INTEGER NOT NULL DEFAULT 0,  -- searchable chunks and their terms: what BM25 must know
  terms             INTEGER NOT NULL DEFAULT 0,
  metadata          TEXT CHECK (metadata IS NULL OR json_valid(metadata)),
  created_at        INTEGER NOT NULL,
  updated_at        INTEGER NOT NULL,
  ended_at          INTEGER,
  UNIQUE (space_key, id)
) STRICT;

CREATE TABLE messages (
  message_key       INTEGER PRIMARY KEY,
  space_key         INTEGER NOT NULL,
  conversation_key  INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  seq               INTEGER NOT NULL CHECK (seq >= 0),
  id                TEXT NOT NULL,
  role              TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool')),
  text              TEXT NOT NULL,
  parts             TEXT CHECK (parts IS NULL OR json_valid(parts)),
  name              TEXT,
  tool_calls        TEXT CHECK (tool_calls IS NULL OR json_valid(tool_calls)),
  tool_call_id      TEXT,
  model             TEXT,
  importance        REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
  tokens            INTEGER NOT NULL CHECK (tokens >= 0),
  metadata          TEXT CHECK (metadata IS NULL OR json_valid(metadata)),
  created_at        INTEGER NOT NULL,
  first_chunk       INTEGER,  -- the keys of a message's chunks are one unbroken, rising range
  last_chunk        INTEGER
) STRICT;

CREATE UNIQUE INDEX messages_by_seq ON messages (conversation_key, seq);
CREATE UNIQUE INDEX messages_by_id ON messages (space_key, id);

CREATE TABLE pins (
  pin_key            INTEGER PRIMARY KEY,
  space_key          INTEGER NOT NULL,
  conversation_key   INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  id                 TEXT NOT NULL,
  content            TEXT NOT NULL,
  importance         REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
  type               TEXT NOT NULL CHECK (type IN ('manual', 'auto', 'code', 'concept', 'system')),
  source_message_id  TEXT,
  created_at         INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX pins_by_id ON pins (space_key, id);
CREATE INDEX pins_by_importance ON pins (conversation_key, importance DESC, created_at DESC, pin_key DESC);

-- Derived by ingest. A chunk is a stretch of its message's text, so the text itself is stored once.
-- A chunk key is a rising number times 64, plus a code for the number of terms: what BM25 asks of each document.

CREATE TABLE chunks (
  chunk_key    INTEGER PRIMARY KEY,
  message_key  INTEGER NOT NULL,
  part         INTEGER NOT NULL CHECK (part >= 0),
  kind         TEXT NOT NULL CHECK (kind IN ('code', 'prose')),
  language     TEXT,
  start        INTEGER NOT NULL,
  stop         INTEGER NOT NULL CHECK (stop > start),
  tokens       INTEGER NOT NULL CHECK (tokens >= 0),
  terms        INTEGER NOT NULL CHECK (terms >= 0)
) STRICT;

CREATE TABLE embedding_models (
  model_key  INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT NOT NULL UNIQUE,
  dimension  INTEGER CHECK (dimension > 0),
  state      TEXT NOT NULL CHECK (state IN ('serving', 'building', 'retired')),
  reached    INTEGER NOT NULL DEFAULT 0  -- while building: every message up to this key has its vectors
) STRICT;

CREATE UNIQUE INDEX embedding_models_serving ON embedding_models (state) WHERE state = 'serving';
CREATE UNIQUE INDEX embedding_models_building ON embedding_models (state) WHERE state = 'building';

-- The outbox: a job commits with the message that it is about. Jobs lie together by state, so that open ones are found
-- without an index beside the table, however many are done.

CREATE TABLE jobs (
  state             TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
  message_key       INTEGER NOT NULL,  -- 0: work on the whole store
  kind              TEXT NOT NULL,
  space_key         INTEGER,
  attempts          INTEGER NOT NULL DEFAULT 0,
  due_at            INTEGER NOT NULL,  -- when it may start; for a running job, when its lease is over
  worker            TEXT,
  error             TEXT,
  milliseconds      REAL,
  created_at        INTEGER NOT NULL,
  finished_at       INTEGER,
  PRIMARY KEY (state, message_key, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE preferences (
  space_key   INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  name        TEXT NOT NULL,
  value       TEXT NOT NULL CHECK (json_valid(value)),
  updated_at  INTEGER NOT NULL,
  PRIMARY KEY (space_key, name)
) STRICT, WITHOUT ROWID;
