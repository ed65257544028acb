-- What a space knows of its person, kept only with consent. A change is a row of its own, so that every moment can be
-- asked for; a row without a value says that the field was removed. The field without a name is the free text.

CREATE TABLE consents (
  space_key  INTEGER PRIMARY KEY REFERENCES spaces ON DELETE CASCADE,
  granted    INTEGER NOT NULL CHECK (granted IN (0, 1)),
  at         INTEGER NOT NULL,
  actor      TEXT NOT NULL,
  note       TEXT
) STRICT;

CREATE TABLE profiles (
  space_key     INTEGER NOT NULL REFERENCES consents ON DELETE CASCADE,
  name          TEXT NOT NULL,
  entry         INTEGER NOT NULL,  -- rising within the space: the later known wins
  value         TEXT CHECK (value IS NULL OR json_type(value) IN ('text', 'integer', 'real', 'true', 'false')),
  source        TEXT NOT NULL CHECK (source IN ('caller', 'user', 'assistant', 'system', 'tool', 'imported')),
  conversation  TEXT,
  message_id    TEXT,
  valid_from    INTEGER NOT NULL,
  expires_at    INTEGER CHECK (expires_at > valid_from),
  known_from    INTEGER NOT NULL,
  PRIMARY KEY (space_key, name, entry)
) STRICT, WITHOUT ROWID;

-- Who granted, revoked, read and changed, and when; of a profile the names of fields, never their values. Nothing but
-- deleting the whole space takes an entry away, and nothing changes one.

CREATE TABLE audit (
  audit_key  INTEGER PRIMARY KEY AUTOINCREMENT,
  space_key  INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  id         TEXT NOT NULL,
  at         INTEGER NOT NULL,
  actor      TEXT NOT NULL,
  action     TEXT NOT NULL CHECK (action IN ('grant', 'revoke', 'change', 'remove', 'read', 'export', 'import')),
  detail     TEXT NOT NULL CHECK (json_valid(detail)),
  imported   INTEGER NOT NULL DEFAULT 0 CHECK (imported IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX audit_by_id ON audit (space_key, id);
CREATE INDEX audit_by_time ON audit (space_key, at, audit_key);

CREATE TRIGGER audit_written_once BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE audit_key = NEW.audit_key)
  OR EXISTS (SELECT 1 FROM audit WHERE space_key = NEW.space_key AND id = NEW.id)
BEGIN
  SELECT RAISE(IGNORE);  -- also keeps INSERT OR REPLACE from replacing
END;

CREATE TRIGGER audit_never_changed BEFORE UPDATE ON audit BEGIN
  SELECT RAISE(ABORT, 'the audit is append-only');
END;

CREATE TRIGGER audit_never_shortened BEFORE DELETE ON audit
WHEN EXISTS (SELECT 1 FROM spaces WHERE space_key = OLD.space_key)
BEGIN
  SELECT RAISE(ABORT, 'the audit is append-only');
END;
