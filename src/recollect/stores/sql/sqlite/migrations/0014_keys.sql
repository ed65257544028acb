-- Who may come in by a door. A key is shown once; only its digest is kept. `spaces` is a JSON list, or NULL for all.

CREATE TABLE keys (
  id          TEXT PRIMARY KEY,
  name        TEXT NOT NULL,
  access      TEXT NOT NULL CHECK (access IN ('read', 'write', 'admin')),
  spaces      TEXT CHECK (spaces IS NULL OR json_type(spaces) = 'array'),
  digest      BLOB NOT NULL CHECK (length(digest) = 32),
  created_at  INTEGER NOT NULL,
  revoked_at  INTEGER
) STRICT, WITHOUT ROWID;
