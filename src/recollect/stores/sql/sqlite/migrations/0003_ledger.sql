-- What retrievals leave behind, and the summaries of conversations. Every key begins with the space.

CREATE TABLE accesses (
  space_key    INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  message_key  INTEGER NOT NULL,
  count        INTEGER NOT NULL CHECK (count > 0),
  last_at      INTEGER NOT NULL,
  PRIMARY KEY (space_key, message_key)
) STRICT, WITHOUT ROWID;

-- Numbers only: no question, and nothing that was found. `conversation` is an id; there may be no such conversation yet.

CREATE TABLE retrievals (
  space_key      INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  at             INTEGER NOT NULL,
  id             TEXT NOT NULL,
  conversation   TEXT,
  kind           TEXT NOT NULL CHECK (kind IN ('recall', 'context')),
  hits           INTEGER NOT NULL CHECK (hits >= 0),
  sources        TEXT NOT NULL CHECK (json_valid(sources)),
  content        TEXT NOT NULL CHECK (json_valid(content)),
  milliseconds   TEXT NOT NULL CHECK (json_valid(milliseconds)),
  top_scores     TEXT NOT NULL CHECK (json_valid(top_scores)),
  flags          TEXT NOT NULL CHECK (json_valid(flags)),
  degraded       TEXT NOT NULL CHECK (json_valid(degraded)),
  tokens         INTEGER CHECK (tokens >= 0),
  budget         INTEGER CHECK (budget >= 0),
  prefix_tokens  INTEGER CHECK (prefix_tokens >= 0),
  PRIMARY KEY (space_key, at, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX retrievals_by_time ON retrievals (at);

CREATE TABLE receipts (
  receipt_key   INTEGER PRIMARY KEY,
  space_key     INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  id            TEXT NOT NULL,
  conversation  TEXT NOT NULL,
  at            INTEGER NOT NULL,
  body          TEXT NOT NULL CHECK (json_valid(body))
) STRICT;

CREATE UNIQUE INDEX receipts_by_id ON receipts (id);
CREATE INDEX receipts_by_time ON receipts (space_key, at);
CREATE INDEX receipts_by_conversation ON receipts (space_key, conversation, at);

CREATE TABLE summaries (
  summary_key       INTEGER PRIMARY KEY,
  space_key         INTEGER NOT NULL,
  conversation_key  INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  id                TEXT NOT NULL,
  kind              TEXT NOT NULL CHECK (kind IN ('segment', 'rolling')),
  first_seq         INTEGER NOT NULL CHECK (first_seq >= 0),
  last_seq          INTEGER NOT NULL CHECK (last_seq >= first_seq),
  message_count     INTEGER NOT NULL CHECK (message_count > 0),
  text              TEXT NOT NULL,
  topics            TEXT NOT NULL CHECK (json_valid(topics)),
  importance        REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
  base_id           TEXT,
  status            TEXT NOT NULL CHECK (status IN ('processing', 'completed', 'failed')),
  method            TEXT CHECK (method IN ('model', 'extractive', 'offline')),
  model             TEXT,
  tokens            INTEGER NOT NULL CHECK (tokens >= 0),
  milliseconds      REAL CHECK (milliseconds >= 0),
  error             TEXT,
  created_at        INTEGER NOT NULL,
  CHECK (status <> 'completed' OR text <> '')
) STRICT;

CREATE UNIQUE INDEX summaries_by_id ON summaries (space_key, id);
CREATE INDEX summaries_by_reach ON summaries (conversation_key, kind, status, last_seq DESC);
CREATE UNIQUE INDEX summaries_in_the_making ON summaries (conversation_key)
  WHERE kind = 'rolling' AND status = 'processing';
