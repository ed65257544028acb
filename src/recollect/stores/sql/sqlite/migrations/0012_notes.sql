-- What recall finds beside messages: one row for each pin, summary, fact and episode that may be found. A row is never
-- changed: what changes is put anew under a new key, so what a process has read under a key stays true. A profile is
-- not among them: it is small, is compared as it is read, and leaves no copy to erase.

CREATE TABLE notes (
  note_key          INTEGER PRIMARY KEY AUTOINCREMENT,
  space_key         INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  kind              TEXT NOT NULL CHECK (kind IN ('pin', 'summary', 'fact', 'episode')),
  id                TEXT NOT NULL,
  conversation_key  INTEGER,
  text              TEXT NOT NULL,
  importance        REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
  at                INTEGER NOT NULL,
  type              TEXT NOT NULL,
  category          TEXT,
  tags              TEXT NOT NULL CHECK (json_valid(tags)),
  messages          TEXT NOT NULL CHECK (json_valid(messages)),  -- the ids of those that say it
  valid_from        INTEGER,
  valid_until       INTEGER,
  known_from        INTEGER,
  known_until       INTEGER,
  closed_at         INTEGER,  -- when it was learned that it is over; before, it was held open
  current           INTEGER NOT NULL CHECK (current IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX notes_by_id ON notes (space_key, kind, id);
CREATE INDEX notes_by_space ON notes (space_key);
CREATE INDEX notes_by_conversation ON notes (space_key, conversation_key);

CREATE TABLE note_labels (
  space_key  INTEGER NOT NULL,
  label      TEXT NOT NULL,  -- 'c' and a category, 't' and a tag
  note_key   INTEGER NOT NULL REFERENCES notes ON DELETE CASCADE,
  PRIMARY KEY (space_key, label, note_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX note_labels_by_note ON note_labels (note_key);

INSERT INTO notes (space_key, kind, id, conversation_key, text, importance, at, type, tags, messages,
                   valid_from, known_from, current)
SELECT space_key, 'pin', id, conversation_key, content, importance, created_at, type, '[]',
       iif(source_message_id IS NULL, '[]', json_array(source_message_id)), created_at, created_at, 1
FROM pins;

INSERT INTO notes (space_key, kind, id, conversation_key, text, importance, at, type, tags, messages,
                   valid_from, known_from, current)
SELECT space_key, 'summary', id, conversation_key, text, importance, created_at, kind, '[]', '[]',
       created_at, created_at, 1
FROM summaries WHERE status = 'completed' AND replaced_by IS NULL;

-- Their terms are made when the migration is applied (check_notes.py), their vectors by these jobs.

INSERT INTO jobs (state, kind, target, about, space_key, due_at, created_at)
SELECT 'queued', 'note', note_key, 'note', space_key, at, at FROM notes;
