-- Every record has a checksum. The store computes those of the records that are there already.

ALTER TABLE messages ADD COLUMN checksum INTEGER;  -- see checksums.py
ALTER TABLE chunks ADD COLUMN checksum INTEGER;  -- see row_checksums.py

CREATE TABLE checksums (
  source    TEXT NOT NULL,
  key       INTEGER NOT NULL,
  checksum  INTEGER NOT NULL,
  PRIMARY KEY (source, key)
) STRICT, WITHOUT ROWID;

-- Retention: when messages, conversations and facts expire, and holds.

ALTER TABLE spaces ADD COLUMN expires_at INTEGER;
ALTER TABLE spaces ADD COLUMN hold_at INTEGER;
ALTER TABLE spaces ADD COLUMN hold_by TEXT;
ALTER TABLE spaces ADD COLUMN hold_reason TEXT;
ALTER TABLE conversations ADD COLUMN expires_at INTEGER;
ALTER TABLE messages ADD COLUMN expires_at INTEGER;
ALTER TABLE facts ADD COLUMN expires_at INTEGER;

CREATE INDEX spaces_expiring ON spaces (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX conversations_expiring ON conversations (space_key, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX messages_expiring ON messages (space_key, expires_at, conversation_key, seq) WHERE expires_at IS NOT NULL;
CREATE INDEX facts_expiring ON facts (space_key, expires_at) WHERE expires_at IS NOT NULL;

CREATE TRIGGER messages_expire AFTER INSERT ON messages WHEN NEW.expires_at IS NOT NULL
BEGIN
  UPDATE spaces SET expires_at = min(coalesce(expires_at, NEW.expires_at), NEW.expires_at)
  WHERE space_key = NEW.space_key;
END;
CREATE TRIGGER conversations_expire AFTER INSERT ON conversations WHEN NEW.expires_at IS NOT NULL
BEGIN
  UPDATE spaces SET expires_at = min(coalesce(expires_at, NEW.expires_at), NEW.expires_at)
  WHERE space_key = NEW.space_key;
END;
CREATE TRIGGER conversations_expire_anew AFTER UPDATE OF expires_at ON conversations WHEN NEW.expires_at IS NOT NULL
BEGIN
  UPDATE spaces SET expires_at = min(coalesce(expires_at, NEW.expires_at), NEW.expires_at)
  WHERE space_key = NEW.space_key;
END;
CREATE TRIGGER facts_expire AFTER INSERT ON facts WHEN NEW.expires_at IS NOT NULL
BEGIN
  UPDATE spaces SET expires_at = min(coalesce(expires_at, NEW.expires_at), NEW.expires_at)
  WHERE space_key = NEW.space_key;
END;
CREATE TRIGGER facts_expire_anew AFTER UPDATE OF expires_at ON facts WHEN NEW.expires_at IS NOT NULL
BEGIN
  UPDATE spaces SET expires_at = min(coalesce(expires_at, NEW.expires_at), NEW.expires_at)
  WHERE space_key = NEW.space_key;
END;

DROP TRIGGER conversations_noted_changed;
CREATE TRIGGER conversations_noted_changed
AFTER UPDATE OF status, title, outcome, model, metadata, muted, expires_at ON conversations
WHEN (NEW.status, NEW.title, NEW.outcome, NEW.model, NEW.metadata, NEW.muted, NEW.expires_at)
  IS NOT (OLD.status, OLD.title, OLD.outcome, OLD.model, OLD.metadata, OLD.muted, OLD.expires_at)
BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'conversation', 'changed', NEW.conversation_key, NEW.conversation_key, NULL);
END;

-- The audit log gets two actions, and an erasure another target. A CHECK cannot be altered, so the tables are made again.
DROP TRIGGER audit_written_once;
DROP TRIGGER audit_never_changed;
DROP TRIGGER audit_never_shortened;
DROP INDEX audit_by_id;
DROP INDEX audit_by_time;
ALTER TABLE audit RENAME TO audit_before;
CREATE TABLE audit (
  audit_key  INTEGER PRIMARY KEY AUTOINCREMENT,
  space_key  INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  id         TEXT NOT NULL,
  at         INTEGER NOT NULL,
  actor      TEXT NOT NULL,
  action     TEXT NOT NULL CHECK (action IN ('grant', 'revoke', 'change', 'remove', 'read', 'export', 'import', 'hold',
               'release')),
  detail     TEXT NOT NULL CHECK (json_valid(detail)),
  imported   INTEGER NOT NULL DEFAULT 0 CHECK (imported IN (0, 1))
) STRICT;
INSERT INTO audit (audit_key, space_key, id, at, actor, action, detail, imported)
SELECT audit_key, space_key, id, at, actor, action, detail, imported FROM audit_before;
DROP TABLE audit_before;
CREATE UNIQUE INDEX audit_by_id ON audit (space_key, id);
CREATE INDEX audit_by_time ON audit (space_key, at, audit_key);

CREATE TRIGGER audit_written_once BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE audit_key = NEW.audit_key)
  OR EXISTS (SELECT 1 FROM audit WHERE space_key = NEW.space_key AND id = NEW.id)
BEGIN
  SELECT RAISE(IGNORE);  -- INSERT OR REPLACE must not replace a row
END;
CREATE TRIGGER audit_never_changed BEFORE UPDATE ON audit BEGIN
  SELECT RAISE(ABORT, 'the audit is append-only');
END;
CREATE TRIGGER audit_never_shortened BEFORE DELETE ON audit
WHEN EXISTS (SELECT 1 FROM spaces WHERE space_key = OLD.space_key)
BEGIN
  SELECT RAISE(ABORT, 'the audit is append-only');
END;

DROP TRIGGER erasures_noted;
DROP TRIGGER erasures_noted_changed;
DROP INDEX erasures_pending;
ALTER TABLE erasures RENAME TO erasures_before;
CREATE TABLE erasures (
  space_key  INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  at         INTEGER NOT NULL,
  id         TEXT NOT NULL,
  target     TEXT NOT NULL
             CHECK (target IN ('message', 'conversation', 'fact', 'before', 'everything', 'edit', 'expired')),
  until      INTEGER NOT NULL CHECK (until >= at),
  portions   TEXT NOT NULL CHECK (json_valid(portions)),
  pending    TEXT NOT NULL CHECK (json_valid(pending)),
  PRIMARY KEY (space_key, at, id)
) STRICT, WITHOUT ROWID;
INSERT INTO erasures (space_key, at, id, target, until, portions, pending)
SELECT space_key, at, id, target, until, portions, pending FROM erasures_before;
DROP TABLE erasures_before;
CREATE INDEX erasures_pending ON erasures (space_key, at) WHERE pending <> '[]';
CREATE TRIGGER erasures_noted AFTER INSERT ON erasures
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'erasure', 'added', NULL, NULL, NULL); END;
CREATE TRIGGER erasures_noted_changed AFTER UPDATE ON erasures
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'erasure', 'changed', NULL, NULL, NULL); END;

-- The items of a receipt are packed. Older receipts stay as they are.

ALTER TABLE receipts ADD COLUMN messages BLOB;  -- the keys of the messages in `items`
ALTER TABLE receipts ADD COLUMN items BLOB;
