-- What happened in conversations, and where nothing shall be found to have happened.

CREATE TABLE episodes (
  episode_key       INTEGER PRIMARY KEY,
  space_key         INTEGER NOT NULL,
  conversation_key  INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  id                TEXT NOT NULL,
  type              TEXT NOT NULL CHECK (type IN (
    'decision_made', 'problem_solved', 'breakthrough', 'issue_identified', 'task_completed', 'pivot')),
  title             TEXT NOT NULL CHECK (title <> ''),
  summary           TEXT NOT NULL,
  context           TEXT NOT NULL,
  participants      TEXT NOT NULL CHECK (json_type(participants) = 'array'),
  outcome           TEXT,
  valence           REAL NOT NULL CHECK (valence BETWEEN -1 AND 1),
  significance      REAL NOT NULL CHECK (significance BETWEEN 0 AND 1),
  facts             TEXT NOT NULL CHECK (json_type(facts) = 'array'),
  first_seq         INTEGER NOT NULL CHECK (first_seq >= 0),
  last_seq          INTEGER NOT NULL CHECK (last_seq >= first_seq),
  method            TEXT NOT NULL CHECK (method IN ('pattern', 'model', 'manual')),
  model             TEXT,
  tokens            INTEGER NOT NULL CHECK (tokens >= 0),
  created_at        INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX episodes_by_id ON episodes (space_key, id);
CREATE INDEX episodes_by_place ON episodes (conversation_key, first_seq, last_seq, episode_key);
CREATE INDEX episodes_by_end ON episodes (conversation_key, last_seq, episode_key);

CREATE TABLE removed_episodes (
  conversation_key  INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  first_seq         INTEGER NOT NULL CHECK (first_seq >= 0),
  last_seq          INTEGER NOT NULL CHECK (last_seq >= first_seq),
  PRIMARY KEY (conversation_key, first_seq, last_seq)
) STRICT, WITHOUT ROWID;

-- Why something is pinned, where recollect pinned it; and a mark of all that it ever pinned by itself, so that it never
-- does so twice. A mark is a digest, not a text.

ALTER TABLE pins ADD COLUMN reason TEXT;

CREATE TABLE pin_marks (
  conversation_key   INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  mark               TEXT NOT NULL,
  source_message_id  TEXT,
  PRIMARY KEY (conversation_key, mark)
) STRICT, WITHOUT ROWID;
