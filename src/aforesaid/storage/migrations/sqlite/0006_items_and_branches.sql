-- Items, verbatim payloads of messages, and branches.

-- ## Items

-- An item: a JSON value under a namespace and a key. Each segment of a namespace ends with the character 31, so what is
-- below a namespace is a range. `text` is what the caller gave to search for. `fields` are the paths that are searched
-- instead; NULL: every text in the value, '[]': nothing. `lifetime` is in seconds, if the expiry was a duration.
CREATE TABLE items (
  item_key    INTEGER PRIMARY KEY AUTOINCREMENT,
  space_key   INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  namespace   TEXT NOT NULL,
  key         TEXT NOT NULL CHECK (key <> ''),
  value       TEXT NOT NULL CHECK (json_valid(value)),
  text        TEXT,
  fields      TEXT CHECK (fields IS NULL OR json_type(fields) = 'array'),
  searched    INTEGER NOT NULL CHECK (searched IN (0, 1)),  -- 1: it has a note
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  expires_at  INTEGER,
  lifetime    INTEGER
) STRICT;
CREATE UNIQUE INDEX items_by_key ON items (space_key, namespace, key);
CREATE INDEX items_by_update ON items (space_key, namespace, updated_at, item_key, expires_at);
CREATE INDEX items_expiring ON items (space_key, expires_at) WHERE expires_at IS NOT NULL;

CREATE TRIGGER items_expire AFTER INSERT ON items WHEN NEW.expires_at IS NOT NULL
BEGIN
  UPDATE spaces SET expires_at = min(coalesce(expires_at, NEW.expires_at), NEW.expires_at)
  WHERE space_key = NEW.space_key;
END;
CREATE TRIGGER items_expire_anew AFTER UPDATE OF expires_at ON items WHEN NEW.expires_at IS NOT NULL
BEGIN
  UPDATE spaces SET expires_at = min(coalesce(expires_at, NEW.expires_at), NEW.expires_at)
  WHERE space_key = NEW.space_key;
END;

-- A note, a change and an erasure can be about items. A CHECK cannot be altered, so the tables are made again.
CREATE TABLE notes_before AS SELECT * FROM notes;
CREATE TABLE note_labels_before AS SELECT * FROM note_labels;
DROP TABLE note_labels;
DROP TABLE notes;
CREATE TABLE notes (
  note_key          INTEGER PRIMARY KEY AUTOINCREMENT,
  space_key         INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  kind              TEXT NOT NULL CHECK (kind IN ('pin', 'summary', 'fact', 'episode', 'item')),
  id                TEXT NOT NULL,
  conversation_key  INTEGER,
  text              TEXT NOT NULL,
  importance        REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
  at                INTEGER NOT NULL,
  type              TEXT NOT NULL,
  category          TEXT,
  tags              TEXT NOT NULL CHECK (json_valid(tags)),
  messages          TEXT NOT NULL CHECK (json_valid(messages)),  -- the ids of its sources
  valid_from        INTEGER,
  valid_until       INTEGER,
  known_from        INTEGER,
  known_until       INTEGER,
  closed_at         INTEGER,  -- when its end became known
  current           INTEGER NOT NULL CHECK (current IN (0, 1))
) STRICT;
INSERT INTO notes (note_key, space_key, kind, id, conversation_key, text, importance, at, type, category, tags,
  messages, valid_from, valid_until, known_from, known_until, closed_at, current)
SELECT note_key, space_key, kind, id, conversation_key, text, importance, at, type, category, tags, messages,
  valid_from, valid_until, known_from, known_until, closed_at, current
FROM notes_before;
CREATE UNIQUE INDEX notes_by_id ON notes (space_key, kind, id);
CREATE INDEX notes_by_space ON notes (space_key);
CREATE INDEX notes_by_conversation ON notes (space_key, conversation_key);
CREATE TABLE note_labels (
  space_key  INTEGER NOT NULL,
  label      TEXT NOT NULL,
  note_key   INTEGER NOT NULL REFERENCES notes ON DELETE CASCADE,
  PRIMARY KEY (space_key, label, note_key)
) STRICT, WITHOUT ROWID;
INSERT INTO note_labels (space_key, label, note_key)
SELECT space_key, label, note_key FROM note_labels_before;
CREATE INDEX note_labels_by_note ON note_labels (note_key);
DROP TABLE notes_before;
DROP TABLE note_labels_before;

CREATE TABLE changes_before AS SELECT * FROM changes;
DROP TABLE changes;
CREATE TABLE changes (
  space_key         INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  number            INTEGER NOT NULL CHECK (number > 0),
  kind              TEXT NOT NULL CHECK (kind IN ('space', 'conversation', 'message', 'pin', 'summary', 'fact',
                                                  'episode', 'item', 'consent', 'profile', 'setting', 'erasure')),
  action            TEXT NOT NULL CHECK (action IN ('added', 'changed', 'removed')),
  conversation_key  INTEGER,
  record_key        INTEGER,  -- NULL for a removed record, and for a kind that a space has one of
  seq               INTEGER CHECK (seq >= 0),  -- of a message
  at                INTEGER NOT NULL,  -- seconds, by the clock of the database: for pruning only
  PRIMARY KEY (space_key, number)
) STRICT, WITHOUT ROWID;
INSERT INTO changes (space_key, number, kind, action, conversation_key, record_key, seq, at)
SELECT space_key, number, kind, action, conversation_key, record_key, seq, at FROM changes_before;
DROP TABLE changes_before;
CREATE INDEX changes_by_conversation ON changes (space_key, conversation_key);
CREATE TRIGGER items_noted AFTER INSERT ON items
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'item', 'added', NULL, NEW.item_key, NULL); END;
CREATE TRIGGER items_noted_changed AFTER UPDATE ON items
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'item', 'changed', NULL, NEW.item_key, NULL); END;
CREATE TRIGGER items_noted_removed AFTER DELETE ON items
BEGIN INSERT INTO noted VALUES (OLD.space_key, 'item', 'removed', NULL, NULL, NULL); END;

CREATE TABLE erasures_before AS SELECT * FROM erasures;
DROP TABLE erasures;
CREATE TABLE erasures (
  space_key  INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  at         INTEGER NOT NULL,
  id         TEXT NOT NULL,
  target     TEXT NOT NULL
             CHECK (target IN ('message', 'conversation', 'fact', 'before', 'everything', 'edit', 'expired', 'items')),
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

-- ## Verbatim payloads: a message keeps the JSON text of a framework, and its metadata can change

ALTER TABLE messages ADD COLUMN raw TEXT CHECK (raw IS NULL OR json_valid(raw));
CREATE TRIGGER messages_metadata_changed AFTER UPDATE OF metadata ON messages WHEN NEW.metadata IS NOT OLD.metadata
BEGIN
  DELETE FROM metadata_values
  WHERE space_key = OLD.space_key AND record = 'message' AND record_key = OLD.message_key;
  INSERT INTO metadata_texts
  SELECT NEW.space_key, 'message', NEW.message_key, NEW.metadata WHERE NEW.metadata IS NOT NULL;
END;
DROP TRIGGER messages_noted_changed;
CREATE TRIGGER messages_noted_changed AFTER UPDATE OF text, parts, metadata, raw ON messages
BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'message', 'changed', NEW.conversation_key, NEW.message_key, NEW.seq);
END;

-- ## Branches: a conversation shares the messages of another one, its parent, up to a seq

ALTER TABLE conversations ADD COLUMN parent_key INTEGER REFERENCES conversations;
ALTER TABLE conversations ADD COLUMN forked_at INTEGER CHECK (forked_at >= -1);
CREATE INDEX conversations_branches ON conversations (space_key, parent_key) WHERE parent_key IS NOT NULL;
-- ## Records: facts of a schema of the owner

ALTER TABLE facts ADD COLUMN schema TEXT;  -- the name of the schema of a record, whose value is JSON
