-- What calls of language models took: numbers only. A row outlives its space, without its name: tokens that were paid
-- for stay paid for, and deleting a space gives nobody a new allowance.

CREATE TABLE costs (
  id                 TEXT PRIMARY KEY,
  space_key          INTEGER REFERENCES spaces ON DELETE SET NULL,
  at                 INTEGER NOT NULL,
  model              TEXT NOT NULL,
  operation          TEXT NOT NULL,
  prompt_tokens      INTEGER NOT NULL CHECK (prompt_tokens >= 0),
  completion_tokens  INTEGER NOT NULL CHECK (completion_tokens >= 0),
  milliseconds       REAL NOT NULL CHECK (milliseconds >= 0),
  error              TEXT,
  settled            INTEGER NOT NULL CHECK (settled IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX costs_by_time ON costs (at, prompt_tokens, completion_tokens);
CREATE INDEX costs_by_space ON costs (space_key, at);
