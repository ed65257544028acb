-- What consolidations did, so that the last one can be undone. No words of any memory are in it.

CREATE TABLE consolidations (
  consolidation_key  INTEGER PRIMARY KEY AUTOINCREMENT,
  space_key          INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  id                 TEXT NOT NULL,
  at                 INTEGER NOT NULL,
  looked_at          INTEGER NOT NULL CHECK (looked_at >= 0),
  archived           INTEGER NOT NULL CHECK (archived >= 0),
  merged             INTEGER NOT NULL CHECK (merged >= 0),
  tokens             INTEGER NOT NULL CHECK (tokens >= 0),
  undone_at          INTEGER
) STRICT;

CREATE UNIQUE INDEX consolidations_by_id ON consolidations (space_key, id);

-- How each record stood before. `copied` are the messages whose words were copied to the one that it was merged into.

CREATE TABLE consolidation_steps (
  consolidation_key  INTEGER NOT NULL REFERENCES consolidations ON DELETE CASCADE,
  record             TEXT NOT NULL CHECK (record IN ('fact', 'episode')),
  record_key         INTEGER NOT NULL,
  status             TEXT NOT NULL,
  known_until        INTEGER,
  into_key           INTEGER,  -- NULL: archived
  copied             TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(copied)),
  PRIMARY KEY (consolidation_key, record, record_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX consolidation_steps_by_record ON consolidation_steps (record, record_key);

-- An episode that was merged into another is kept beside it.

ALTER TABLE episodes ADD COLUMN merged_into INTEGER;
