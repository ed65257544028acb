-- What was distilled out of what people said, with the words that say it. Every key begins with the space.
-- `subject_key`, `attribute_key` and `value_key` are the slot in one spelling.

CREATE TABLE facts (
  fact_key       INTEGER PRIMARY KEY AUTOINCREMENT,
  space_key      INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  id             TEXT NOT NULL,
  kind           TEXT NOT NULL
                 CHECK (kind IN ('fact', 'decision', 'preference', 'entity', 'procedure', 'constraint', 'goal')),
  subject        TEXT NOT NULL CHECK (subject <> ''),
  attribute      TEXT,
  value          TEXT,
  text           TEXT NOT NULL CHECK (text <> ''),
  status         TEXT NOT NULL CHECK (status IN ('pending', 'active', 'superseded', 'archived', 'rejected')),
  confidence     REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  importance     REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
  category       TEXT,
  tags           TEXT NOT NULL CHECK (json_valid(tags)),
  method         TEXT NOT NULL CHECK (method IN ('pattern', 'model', 'manual')),
  model          TEXT,
  tokens         INTEGER NOT NULL CHECK (tokens >= 0),
  valid_from     INTEGER,
  valid_until    INTEGER,
  known_from     INTEGER NOT NULL,
  known_until    INTEGER,
  accesses       INTEGER NOT NULL DEFAULT 0 CHECK (accesses >= 0),
  accessed_at    INTEGER,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL,
  subject_key    TEXT NOT NULL,
  attribute_key  TEXT,
  value_key      TEXT,
  CHECK (valid_from IS NULL OR valid_until IS NULL OR valid_from <= valid_until)
) STRICT;

CREATE UNIQUE INDEX facts_by_id ON facts (space_key, id);
CREATE INDEX facts_by_status ON facts (space_key, status, fact_key);
CREATE INDEX facts_by_slot ON facts (space_key, subject_key, attribute_key, status, fact_key);
CREATE INDEX facts_by_value ON facts (space_key, subject_key, attribute_key, value_key, fact_key);

-- The words that say a fact. `text` and `value` are what these words alone claim: when others go, the fact says that.

CREATE TABLE evidence (
  space_key    INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  fact_key     INTEGER NOT NULL REFERENCES facts ON DELETE CASCADE,
  message_key  INTEGER NOT NULL,
  quote        TEXT NOT NULL CHECK (quote <> ''),
  text         TEXT NOT NULL,
  value        TEXT,
  PRIMARY KEY (space_key, fact_key, message_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX evidence_by_message ON evidence (space_key, message_key);
CREATE INDEX evidence_by_fact ON evidence (fact_key);

-- Terms under which a fact is found by others that say nearly the same.

CREATE TABLE fact_marks (
  space_key  INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  mark       TEXT NOT NULL,
  fact_key   INTEGER NOT NULL REFERENCES facts ON DELETE CASCADE,
  PRIMARY KEY (space_key, mark, fact_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX fact_marks_by_fact ON fact_marks (fact_key);

CREATE TABLE relations (
  space_key   INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  source_key  INTEGER NOT NULL REFERENCES facts ON DELETE CASCADE,
  kind        TEXT NOT NULL
              CHECK (kind IN ('related_to', 'depends_on', 'contradicts', 'supersedes', 'part_of', 'caused_by')),
  target_key  INTEGER NOT NULL REFERENCES facts ON DELETE CASCADE CHECK (target_key <> source_key),
  strength    REAL NOT NULL CHECK (strength BETWEEN 0 AND 1),
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (space_key, source_key, kind, target_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX relations_by_target ON relations (space_key, target_key);
CREATE INDEX relations_by_kind ON relations (space_key, kind, source_key);
CREATE INDEX relations_by_time ON relations (space_key, created_at);
CREATE INDEX relations_from ON relations (source_key);
CREATE INDEX relations_to ON relations (target_key);

-- What ended a fact, how it stood before and after, and until when that was believed: what an undo puts back, and what
-- was known at any time.

CREATE TABLE closings (
  closing_key   INTEGER PRIMARY KEY,
  space_key     INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  fact_key      INTEGER NOT NULL REFERENCES facts ON DELETE CASCADE,
  by_key        INTEGER NOT NULL REFERENCES facts ON DELETE CASCADE,
  at            INTEGER NOT NULL,
  status        TEXT NOT NULL CHECK (status IN ('pending', 'active', 'archived')),
  valid_until   INTEGER,  -- before
  closed_until  INTEGER,  -- after
  corrected     INTEGER NOT NULL CHECK (corrected IN (0, 1)),  -- it was never true
  undone_at     INTEGER
) STRICT;

CREATE UNIQUE INDEX closings_standing ON closings (fact_key) WHERE undone_at IS NULL;
CREATE INDEX closings_of ON closings (fact_key, at);
CREATE INDEX closings_by ON closings (space_key, by_key);
CREATE INDEX closings_by_key ON closings (by_key);
