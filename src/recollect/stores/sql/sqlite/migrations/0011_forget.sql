-- What was forgotten: how much and why, never what it said. Receipts of contexts that were read before `until` are not
-- taken any more, whoever brings them: they may quote what is gone.

CREATE TABLE erasures (
  space_key  INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  at         INTEGER NOT NULL,
  id         TEXT NOT NULL,
  target     TEXT NOT NULL CHECK (target IN ('message', 'conversation', 'fact', 'before', 'everything', 'edit')),
  until      INTEGER NOT NULL CHECK (until >= at),
  portions   TEXT NOT NULL CHECK (json_valid(portions)),
  pending    TEXT NOT NULL CHECK (json_valid(pending)),  -- what of the files is not scrubbed yet
  PRIMARY KEY (space_key, at, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX erasures_pending ON erasures (space_key, at) WHERE pending <> '[]';

-- Where forgotten messages stood: a seq is never given twice, and a gap that is not in here is a loss.

CREATE TABLE gaps (
  conversation_key  INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  first_seq         INTEGER NOT NULL CHECK (first_seq >= 0),
  last_seq          INTEGER NOT NULL CHECK (last_seq >= first_seq),
  PRIMARY KEY (conversation_key, first_seq)
) STRICT, WITHOUT ROWID;
