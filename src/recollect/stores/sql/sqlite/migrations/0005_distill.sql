-- Work on whole conversations beside work on messages. Jobs lie together by state and kind, so that the next ones of a
-- kind are found however many others wait.

ALTER TABLE jobs RENAME TO jobs_before;

CREATE TABLE jobs (
  state             TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
  kind              TEXT NOT NULL,
  target            INTEGER NOT NULL,  -- the key of what it is about; 0: the whole store
  about             TEXT NOT NULL CHECK (about IN ('store', 'message', 'conversation', 'note')),
  space_key         INTEGER,
  attempts          INTEGER NOT NULL DEFAULT 0,
  due_at            INTEGER NOT NULL,  -- when it may start; for a running job, when its lease is over
  worker            TEXT,
  error             TEXT,
  milliseconds      REAL,
  created_at        INTEGER NOT NULL,
  finished_at       INTEGER,
  PRIMARY KEY (state, kind, target)
) STRICT, WITHOUT ROWID;

INSERT INTO jobs SELECT state, kind, message_key, iif(message_key = 0, 'store', 'message'), space_key, attempts, due_at,
                        worker, error, milliseconds, created_at, finished_at FROM jobs_before;

DROP TABLE jobs_before;

-- How far each step of distilling has read a conversation: every message up to this seq.

CREATE TABLE progress (
  conversation_key  INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  step              TEXT NOT NULL,
  reached           INTEGER NOT NULL CHECK (reached >= 0),
  PRIMARY KEY (conversation_key, step)
) STRICT, WITHOUT ROWID;

-- What was made from what, one row a source. A fact's evidence and a pin's message are named in their own tables.

CREATE TABLE lineage (
  space_key    INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  derived      TEXT NOT NULL CHECK (derived IN ('summary', 'episode')),
  derived_key  INTEGER NOT NULL,
  source       TEXT NOT NULL CHECK (source IN ('message', 'summary', 'fact')),
  source_key   INTEGER NOT NULL,
  PRIMARY KEY (space_key, derived, derived_key, source, source_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX lineage_by_source ON lineage (space_key, source, source_key);
