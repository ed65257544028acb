-- The whole schema of a SQLite store, in the order of the data flow. A new store runs this script; a store of an older
-- version runs the scripts in `migrations/sqlite`. Change both together.
--
-- Every record belongs to a space. It has an integer key (`…_key`), which is unique in the file, and most have an `id`,
-- which is unique in the space. Times are microseconds since 1970 in UTC. Lists and objects are JSON texts.

-- One row for each version that the schema has had.
CREATE TABLE migrations (
  version     INTEGER PRIMARY KEY,
  name        TEXT NOT NULL,
  applied_at  INTEGER NOT NULL
) STRICT;

-- ## Spaces, conversations, messages

-- A space: one user or tenant. `revision` counts deletions and re-chunking of messages, which invalidate caches. Nothing
-- in it expires before `expires_at`. The columns `hold_…` have a value while the space is on hold.
CREATE TABLE spaces (
  space_key    INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  created_at   INTEGER NOT NULL,
  revision     INTEGER NOT NULL DEFAULT 0,
  expires_at   INTEGER,
  hold_at      INTEGER,
  hold_by      TEXT,
  hold_reason  TEXT
) STRICT;
CREATE INDEX spaces_expiring ON spaces (expires_at) WHERE expires_at IS NOT NULL;

-- A setting of a space.
CREATE TABLE preferences (
  space_key   INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  name        TEXT NOT NULL,
  value       TEXT NOT NULL CHECK (json_valid(value)),
  updated_at  INTEGER NOT NULL,
  PRIMARY KEY (space_key, name)
) STRICT, WITHOUT ROWID;

-- A conversation, with counts of its messages. A muted conversation is neither recalled elsewhere nor distilled.
CREATE TABLE conversations (
  conversation_key  INTEGER PRIMARY KEY AUTOINCREMENT,
  space_key         INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  id                TEXT NOT NULL,
  status            TEXT NOT NULL CHECK (status IN ('active', 'paused', 'ended')),
  title             TEXT,
  outcome           TEXT,
  model             TEXT,
  next_seq          INTEGER NOT NULL DEFAULT 0 CHECK (next_seq >= 0),
  messages          INTEGER NOT NULL DEFAULT 0 CHECK (messages >= 0),
  turns             INTEGER NOT NULL DEFAULT 0 CHECK (turns >= 0),
  tokens            INTEGER NOT NULL DEFAULT 0 CHECK (tokens >= 0),
  chunks            INTEGER NOT NULL DEFAULT 0,  -- searchable chunks and their terms, for BM25
  terms             INTEGER NOT NULL DEFAULT 0,
  metadata          TEXT CHECK (metadata IS NULL OR json_valid(metadata)),
  created_at        INTEGER NOT NULL,
  updated_at        INTEGER NOT NULL,
  ended_at          INTEGER,
  muted             INTEGER NOT NULL DEFAULT 0 CHECK (muted IN (0, 1)),
  expires_at        INTEGER,
  parent_key        INTEGER REFERENCES conversations,  -- of a branch: it shares the parent's messages up to `forked_at`
  forked_at         INTEGER CHECK (forked_at >= -1),
  UNIQUE (space_key, id)
) STRICT;
CREATE INDEX conversations_branches ON conversations (space_key, parent_key) WHERE parent_key IS NOT NULL;
CREATE INDEX conversations_muted ON conversations (space_key) WHERE muted = 1;
CREATE INDEX conversations_expiring ON conversations (space_key, expires_at) WHERE expires_at IS NOT NULL;

-- A message. Its chunks have the keys from `first_chunk` to `last_chunk`, without gaps. `utc_offset` is the
-- sender's, in seconds east of UTC: it determines where a day begins.
CREATE TABLE messages (
  message_key       INTEGER PRIMARY KEY,
  space_key         INTEGER NOT NULL,
  conversation_key  INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  seq               INTEGER NOT NULL CHECK (seq >= 0),
  id                TEXT NOT NULL,
  role              TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool')),
  text              TEXT NOT NULL,
  parts             TEXT CHECK (parts IS NULL OR json_valid(parts)),
  name              TEXT,
  tool_calls        TEXT CHECK (tool_calls IS NULL OR json_valid(tool_calls)),
  tool_call_id      TEXT,
  model             TEXT,
  importance        REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
  tokens            INTEGER NOT NULL CHECK (tokens >= 0),
  metadata          TEXT CHECK (metadata IS NULL OR json_valid(metadata)),
  created_at        INTEGER NOT NULL,
  first_chunk       INTEGER,
  last_chunk        INTEGER,
  utc_offset        INTEGER NOT NULL DEFAULT 0,
  checksum          INTEGER,  -- see checksums.py
  expires_at        INTEGER,
  salience          REAL,  -- see text/salience.py
  raw               TEXT CHECK (raw IS NULL OR json_valid(raw))  -- the message as a framework wrote it
) STRICT;
CREATE UNIQUE INDEX messages_by_seq ON messages (conversation_key, space_key, seq);
CREATE UNIQUE INDEX messages_by_id ON messages (space_key, id);
CREATE INDEX messages_directory ON messages  -- all that ranking needs of a message, without its text
  (space_key, message_key, conversation_key, seq, role, name, created_at, importance, tokens, first_chunk, last_chunk,
   salience);

CREATE INDEX messages_expiring ON messages (space_key, expires_at, conversation_key, seq) WHERE expires_at IS NOT NULL;

CREATE TRIGGER messages_left AFTER DELETE ON messages
BEGIN UPDATE spaces SET revision = revision + 1 WHERE space_key = OLD.space_key; END;
CREATE TRIGGER messages_split_anew AFTER UPDATE OF first_chunk, last_chunk ON messages
BEGIN UPDATE spaces SET revision = revision + 1 WHERE space_key = NEW.space_key; END;

-- A part of a message's text, for search. The text is stored only in the message. A key is a rising number times 64,
-- plus a code for the number of terms, which BM25 needs for each document.
CREATE TABLE chunks (
  chunk_key    INTEGER PRIMARY KEY,
  space_key    INTEGER NOT NULL,
  message_key  INTEGER NOT NULL,
  part         INTEGER NOT NULL CHECK (part >= 0),
  kind         TEXT NOT NULL CHECK (kind IN ('code', 'prose')),
  language     TEXT,
  start        INTEGER NOT NULL,
  stop         INTEGER NOT NULL CHECK (stop > start),
  tokens       INTEGER NOT NULL CHECK (tokens >= 0),
  terms        INTEGER NOT NULL CHECK (terms >= 0),
  checksum     INTEGER  -- see row_checksums.py
) STRICT;

-- A time expression in a message. `position` is its number among those of the message.
CREATE TABLE mentions (
  space_key    INTEGER NOT NULL,
  message_key  INTEGER NOT NULL,
  start        INTEGER NOT NULL,
  stop         INTEGER NOT NULL CHECK (stop > start),
  text         TEXT NOT NULL,
  position     INTEGER NOT NULL,
  PRIMARY KEY (space_key, message_key, start, stop)
) STRICT, WITHOUT ROWID;

-- A range of seqs without messages: of deleted ones, and of those that a branch shares with its parent. A seq is never
-- used again; a missing seq outside every gap is data loss.
CREATE TABLE gaps (
  space_key         INTEGER NOT NULL,
  conversation_key  INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  first_seq         INTEGER NOT NULL CHECK (first_seq >= 0),
  last_seq          INTEGER NOT NULL CHECK (last_seq >= first_seq),
  PRIMARY KEY (conversation_key, first_seq)
) STRICT, WITHOUT ROWID;

-- A value in the metadata of a message or a conversation, for filters. `field` is its path: the keys, joined by dots. An
-- element of a list has the field of the list. A number has the text '', a boolean is the number 1 or 0, and every other
-- value has the number 0. Of a text and a field, the first 200 characters are stored.
CREATE TABLE metadata_values (
  space_key   INTEGER NOT NULL,
  record      TEXT NOT NULL CHECK (record IN ('message', 'conversation')),
  record_key  INTEGER NOT NULL,
  field       TEXT NOT NULL,
  type        TEXT NOT NULL CHECK (type IN ('text', 'number', 'boolean', 'null', 'object', 'array')),
  number      REAL NOT NULL,
  text        TEXT NOT NULL,
  PRIMARY KEY (space_key, record, record_key, field, type, number, text)
) STRICT, WITHOUT ROWID;
CREATE INDEX metadata_values_by_field ON metadata_values (space_key, record, field, type, number, text, record_key);

-- An INSERT into this view adds the values of a JSON text.
CREATE VIEW metadata_texts AS SELECT space_key, record, record_key, text AS metadata FROM metadata_values;

CREATE TRIGGER metadata_texts_split INSTEAD OF INSERT ON metadata_texts
BEGIN
  INSERT OR IGNORE INTO metadata_values (space_key, record, record_key, field, type, number, text)
  SELECT NEW.space_key, NEW.record, NEW.record_key, substr(field, 1, 200),
         CASE type WHEN 'integer' THEN 'number' WHEN 'real' THEN 'number' WHEN 'true' THEN 'boolean'
                   WHEN 'false' THEN 'boolean' ELSE type END,
         CASE WHEN type IN ('integer', 'real', 'true', 'false') THEN value ELSE 0 END,
         CASE type WHEN 'text' THEN substr(value, 1, 200) ELSE '' END
  FROM (
    WITH RECURSIVE tree (field, type, value) AS (
      SELECT key, type, value FROM json_each(NEW.metadata)
      UNION ALL
      SELECT CASE t.type WHEN 'object' THEN t.field || '.' || e.key ELSE t.field END, e.type, e.value
      FROM tree t JOIN json_each(t.value) e WHERE t.type IN ('object', 'array'))
    SELECT field, type, value FROM tree);
END;

CREATE TRIGGER messages_metadata AFTER INSERT ON messages WHEN NEW.metadata IS NOT NULL
BEGIN INSERT INTO metadata_texts VALUES (NEW.space_key, 'message', NEW.message_key, NEW.metadata); END;
CREATE TRIGGER messages_metadata_changed AFTER UPDATE OF metadata ON messages WHEN NEW.metadata IS NOT OLD.metadata
BEGIN
  DELETE FROM metadata_values
  WHERE space_key = OLD.space_key AND record = 'message' AND record_key = OLD.message_key;
  INSERT INTO metadata_texts
  SELECT NEW.space_key, 'message', NEW.message_key, NEW.metadata WHERE NEW.metadata IS NOT NULL;
END;
CREATE TRIGGER messages_metadata_removed AFTER DELETE ON messages WHEN OLD.metadata IS NOT NULL
BEGIN
  DELETE FROM metadata_values
  WHERE space_key = OLD.space_key AND record = 'message' AND record_key = OLD.message_key;
END;

CREATE TRIGGER conversations_metadata AFTER INSERT ON conversations WHEN NEW.metadata IS NOT NULL
BEGIN INSERT INTO metadata_texts VALUES (NEW.space_key, 'conversation', NEW.conversation_key, NEW.metadata); END;
CREATE TRIGGER conversations_metadata_changed AFTER UPDATE OF metadata ON conversations
WHEN NEW.metadata IS NOT OLD.metadata
BEGIN
  DELETE FROM metadata_values
  WHERE space_key = OLD.space_key AND record = 'conversation' AND record_key = OLD.conversation_key;
  INSERT INTO metadata_texts
  SELECT NEW.space_key, 'conversation', NEW.conversation_key, NEW.metadata WHERE NEW.metadata IS NOT NULL;
END;
CREATE TRIGGER conversations_metadata_removed AFTER DELETE ON conversations WHEN OLD.metadata IS NOT NULL
BEGIN
  DELETE FROM metadata_values
  WHERE space_key = OLD.space_key AND record = 'conversation' AND record_key = OLD.conversation_key;
END;

-- ## Background work

-- A job. It commits together with the record that it is about. Rows are clustered by state and kind, so the next jobs
-- of a kind are found without a second index. `due_at` is when it may start; for a running job, when its lease ends.
CREATE TABLE jobs (
  state             TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
  kind              TEXT NOT NULL,
  target            INTEGER NOT NULL,  -- the key of the record; 0: the whole store
  about             TEXT NOT NULL CHECK (about IN ('store', 'message', 'conversation', 'note')),
  space_key         INTEGER NOT NULL DEFAULT 0,  -- 0: the whole store
  attempts          INTEGER NOT NULL DEFAULT 0,
  due_at            INTEGER NOT NULL,
  worker            TEXT,
  error             TEXT,
  milliseconds      REAL,
  created_at        INTEGER NOT NULL,
  finished_at       INTEGER,
  PRIMARY KEY (state, kind, target)
) STRICT, WITHOUT ROWID;

-- How far a step of distillation has read a conversation: every message up to seq `reached`.
CREATE TABLE progress (
  space_key         INTEGER NOT NULL,
  conversation_key  INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  step              TEXT NOT NULL,
  reached           INTEGER NOT NULL CHECK (reached >= 0),
  PRIMARY KEY (conversation_key, step)
) STRICT, WITHOUT ROWID;

-- An answer that a model writes now to a message, in a conversation that has the message. A process holds it by a
-- lease until `due_at`; another one may begin anew after that. Its text is only in the process that writes it.
CREATE TABLE running_answers (
  space_key         INTEGER NOT NULL,
  conversation_key  INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  message_key       INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
  holder            TEXT NOT NULL,
  model             TEXT NOT NULL,
  retries           INTEGER NOT NULL DEFAULT 0,
  stopping          INTEGER NOT NULL DEFAULT 0 CHECK (stopping IN (0, 1)),
  begun_at          INTEGER NOT NULL,
  due_at            INTEGER NOT NULL,
  PRIMARY KEY (conversation_key, message_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX running_answers_by_message ON running_answers (message_key);

-- An embedding model. While it is building, every message up to key `reached` has its vectors.
CREATE TABLE embedding_models (
  model_key  INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT NOT NULL UNIQUE,
  dimension  INTEGER CHECK (dimension > 0),
  state      TEXT NOT NULL CHECK (state IN ('serving', 'building', 'retired')),
  reached    INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX embedding_models_serving ON embedding_models (state) WHERE state = 'serving';
CREATE UNIQUE INDEX embedding_models_building ON embedding_models (state) WHERE state = 'building';

-- A call of a language model: numbers only. A row outlives its space: deleting a space resets no token budget.
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

-- ## Distilled records: pins, summaries, facts, episodes

-- A pin: text that every context of its conversation includes. `reason` says why aforesaid pinned it.
CREATE TABLE pins (
  pin_key            INTEGER PRIMARY KEY,
  space_key          INTEGER NOT NULL,
  conversation_key   INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  id                 TEXT NOT NULL,
  content            TEXT NOT NULL,
  importance         REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
  type               TEXT NOT NULL CHECK (type IN ('manual', 'auto', 'code', 'concept', 'system')),
  source_message_id  TEXT,
  created_at         INTEGER NOT NULL,
  reason             TEXT
) STRICT;
CREATE UNIQUE INDEX pins_by_id ON pins (space_key, id);
CREATE INDEX pins_by_importance ON pins
  (conversation_key, space_key, importance DESC, created_at DESC, pin_key DESC);

-- The digest of a text that aforesaid pinned by itself. It prevents pinning the same text twice.
CREATE TABLE pin_marks (
  space_key          INTEGER NOT NULL,
  conversation_key   INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  mark               TEXT NOT NULL,
  source_message_id  TEXT,
  PRIMARY KEY (conversation_key, mark)
) STRICT, WITHOUT ROWID;

-- A summary of a range of messages. `replaced_by` is the summary that was made later for the same messages.
CREATE TABLE summaries (
  summary_key       INTEGER PRIMARY KEY,
  space_key         INTEGER NOT NULL,
  conversation_key  INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  id                TEXT NOT NULL,
  kind              TEXT NOT NULL CHECK (kind IN ('segment', 'rolling')),
  first_seq         INTEGER NOT NULL CHECK (first_seq >= 0),
  last_seq          INTEGER NOT NULL CHECK (last_seq >= first_seq),
  message_count     INTEGER NOT NULL CHECK (message_count > 0),
  text              TEXT NOT NULL,
  topics            TEXT NOT NULL CHECK (json_valid(topics)),
  importance        REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
  base_id           TEXT,
  status            TEXT NOT NULL CHECK (status IN ('processing', 'completed', 'failed')),
  method            TEXT CHECK (method IN ('model', 'extractive', 'offline')),
  model             TEXT,
  tokens            INTEGER NOT NULL CHECK (tokens >= 0),
  milliseconds      REAL CHECK (milliseconds >= 0),
  error             TEXT,
  created_at        INTEGER NOT NULL,
  replaced_by       TEXT,
  CHECK (status <> 'completed' OR text <> '')
) STRICT;
CREATE UNIQUE INDEX summaries_by_id ON summaries (space_key, id);
CREATE INDEX summaries_by_reach ON summaries (conversation_key, space_key, kind, status, last_seq DESC);
CREATE UNIQUE INDEX summaries_in_the_making ON summaries (conversation_key, space_key)
  WHERE kind = 'rolling' AND status = 'processing';
CREATE INDEX summaries_replaced ON summaries (space_key, replaced_by) WHERE replaced_by IS NOT NULL;
CREATE INDEX summaries_by_time ON summaries (created_at, space_key);

-- A fact. The columns `…_key` are normalized; facts with the same subject and attribute compete for one slot.
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
  expires_at     INTEGER,
  reason         TEXT,
  withdrawn_from TEXT CHECK (withdrawn_from IN ('pending', 'active', 'superseded', 'archived')),
  schema         TEXT,  -- the name of the schema of a record, whose value is JSON
  CHECK (valid_from IS NULL OR valid_until IS NULL OR valid_from <= valid_until)
) STRICT;
CREATE UNIQUE INDEX facts_by_id ON facts (space_key, id);
CREATE INDEX facts_by_status ON facts (space_key, status, fact_key);
CREATE INDEX facts_by_slot ON facts (space_key, subject_key, attribute_key, status, fact_key);
CREATE INDEX facts_by_value ON facts (space_key, subject_key, attribute_key, value_key, fact_key);
CREATE INDEX facts_expiring ON facts (space_key, expires_at) WHERE expires_at IS NOT NULL;

-- Keep `spaces.expires_at` at or before the first expiry in the space.
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

-- A quote that supports a fact. The fact takes over `text` and `value` of the quote if its other evidence is deleted.
CREATE TABLE evidence (
  space_key    INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  fact_key     INTEGER NOT NULL REFERENCES facts ON DELETE CASCADE,
  message_key  INTEGER NOT NULL,
  quote        TEXT NOT NULL CHECK (quote <> ''),
  text         TEXT NOT NULL,
  value        TEXT,
  supports     INTEGER NOT NULL DEFAULT 1 CHECK (supports IN (0, 1)),  -- 0: the fact was edited since
  PRIMARY KEY (space_key, fact_key, message_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX evidence_by_message ON evidence (space_key, message_key);
CREATE INDEX evidence_by_fact ON evidence (fact_key);

-- A term of a fact, for finding facts that say nearly the same.
CREATE TABLE fact_marks (
  space_key  INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  mark       TEXT NOT NULL,
  fact_key   INTEGER NOT NULL REFERENCES facts ON DELETE CASCADE,
  PRIMARY KEY (space_key, mark, fact_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX fact_marks_by_fact ON fact_marks (fact_key);

-- A directed relation between two facts.
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

-- A fact that another fact (`by_key`) ended: its state before and after, for undo and for queries about the past.
CREATE TABLE closings (
  closing_key   INTEGER PRIMARY KEY,
  space_key     INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  fact_key      INTEGER NOT NULL REFERENCES facts ON DELETE CASCADE,
  by_key        INTEGER NOT NULL REFERENCES facts ON DELETE CASCADE,
  at            INTEGER NOT NULL,
  status        TEXT NOT NULL CHECK (status IN ('pending', 'active', 'archived')),
  valid_until   INTEGER,  -- before
  closed_until  INTEGER,  -- after
  corrected     INTEGER NOT NULL CHECK (corrected IN (0, 1)),  -- 1: it was never true
  undone_at     INTEGER
) STRICT;
CREATE UNIQUE INDEX closings_standing ON closings (fact_key, space_key) WHERE undone_at IS NULL;
CREATE INDEX closings_of ON closings (fact_key, space_key, at);
CREATE INDEX closings_by ON closings (space_key, by_key);
CREATE INDEX closings_by_key ON closings (by_key);

-- An episode: an event in a range of messages. An episode that was merged into another is kept.
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
  created_at        INTEGER NOT NULL,
  merged_into       INTEGER
) STRICT;
CREATE UNIQUE INDEX episodes_by_id ON episodes (space_key, id);
CREATE INDEX episodes_by_place ON episodes (conversation_key, space_key, first_seq, last_seq, episode_key);
CREATE INDEX episodes_by_end ON episodes (conversation_key, space_key, last_seq, episode_key);

-- A range of messages whose episode a user removed. No episode is extracted there again.
CREATE TABLE removed_episodes (
  space_key         INTEGER NOT NULL,
  conversation_key  INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  first_seq         INTEGER NOT NULL CHECK (first_seq >= 0),
  last_seq          INTEGER NOT NULL CHECK (last_seq >= first_seq),
  PRIMARY KEY (conversation_key, first_seq, last_seq)
) STRICT, WITHOUT ROWID;

-- A source of a summary or an episode. Sources of facts are in `evidence`, those of pins in `pins`.
CREATE TABLE lineage (
  space_key    INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  derived      TEXT NOT NULL CHECK (derived IN ('summary', 'episode')),
  derived_key  INTEGER NOT NULL,
  source       TEXT NOT NULL CHECK (source IN ('message', 'summary', 'fact')),
  source_key   INTEGER NOT NULL,
  PRIMARY KEY (space_key, derived, derived_key, source, source_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX lineage_by_source ON lineage (space_key, source, source_key);

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

-- A searchable copy of a pin, summary, fact, episode or item. A row is never updated: a changed record gets a new row
-- with a new key, so a cached row stays valid. Profiles have no notes.
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
CREATE UNIQUE INDEX notes_by_id ON notes (space_key, kind, id);
CREATE INDEX notes_by_space ON notes (space_key);
CREATE INDEX notes_by_conversation ON notes (space_key, conversation_key);

-- A filter label of a note: 'c' and a category, or 't' and a tag.
CREATE TABLE note_labels (
  space_key  INTEGER NOT NULL,
  label      TEXT NOT NULL,
  note_key   INTEGER NOT NULL REFERENCES notes ON DELETE CASCADE,
  PRIMARY KEY (space_key, label, note_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX note_labels_by_note ON note_labels (note_key);

-- A consolidation run, with counts, so that the last one can be undone. It contains no text of any record.
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

-- The state of a record before a consolidation. `copied` lists the messages whose evidence the other record received.
CREATE TABLE consolidation_steps (
  space_key          INTEGER NOT NULL,
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

-- ## The profile of a person, kept only with consent

-- The consent of a space's person.
CREATE TABLE consents (
  space_key  INTEGER PRIMARY KEY REFERENCES spaces ON DELETE CASCADE,
  granted    INTEGER NOT NULL CHECK (granted IN (0, 1)),
  at         INTEGER NOT NULL,
  actor      TEXT NOT NULL,
  note       TEXT
) STRICT;

-- A change of a profile field, so that the profile of any time can be read. A row without a value removes the field.
-- The field '' is the free text. `entry` rises in a space; the latest one is valid.
CREATE TABLE profiles (
  space_key     INTEGER NOT NULL REFERENCES consents ON DELETE CASCADE,
  name          TEXT NOT NULL,
  entry         INTEGER NOT NULL,
  value         TEXT CHECK (value IS NULL OR json_type(value) IN ('text', 'integer', 'real', 'true', 'false')),
  source        TEXT NOT NULL CHECK (source IN ('caller', 'user', 'assistant', 'system', 'tool', 'imported')),
  conversation  TEXT,
  message_id    TEXT,
  valid_from    INTEGER NOT NULL,
  expires_at    INTEGER CHECK (expires_at > valid_from),
  known_from    INTEGER NOT NULL,
  PRIMARY KEY (space_key, name, entry)
) STRICT, WITHOUT ROWID;

-- Who granted, revoked, read or changed what, and when: names of profile fields, never their values. Append-only: a row
-- is never changed, and is deleted only together with its space.
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

-- ## Retrieval

-- How often a message was retrieved.
CREATE TABLE accesses (
  space_key    INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  message_key  INTEGER NOT NULL,
  count        INTEGER NOT NULL CHECK (count > 0),
  last_at      INTEGER NOT NULL,
  PRIMARY KEY (space_key, message_key)
) STRICT, WITHOUT ROWID;

-- What a person, or a quote in an answer, says about a message as the answer to a question: numbers only. `question` and
-- `terms` are hashes of the question's terms.
CREATE TABLE feedback (
  space_key    INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  message_key  INTEGER NOT NULL,
  question     INTEGER NOT NULL,
  terms        TEXT NOT NULL CHECK (json_valid(terms)),
  verdict      TEXT NOT NULL CHECK (verdict IN ('useful', 'useless', 'quoted')),
  at           INTEGER NOT NULL,
  PRIMARY KEY (space_key, message_key, question)
) STRICT, WITHOUT ROWID;
CREATE INDEX feedback_by_time ON feedback (space_key, at, message_key, question);

-- A recall or a context: numbers only, neither the query nor the hits. `conversation` is an id; it may not exist yet.
CREATE TABLE retrievals (
  space_key      INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  at             INTEGER NOT NULL,
  id             TEXT NOT NULL,
  conversation   TEXT,
  kind           TEXT NOT NULL CHECK (kind IN ('recall', 'context')),
  hits           INTEGER NOT NULL CHECK (hits >= 0),
  sources        TEXT NOT NULL CHECK (json_valid(sources)),
  content        TEXT NOT NULL CHECK (json_valid(content)),
  milliseconds   TEXT NOT NULL CHECK (json_valid(milliseconds)),
  top_scores     TEXT NOT NULL CHECK (json_valid(top_scores)),
  flags          TEXT NOT NULL CHECK (json_valid(flags)),
  degraded       TEXT NOT NULL CHECK (json_valid(degraded)),
  tokens         INTEGER CHECK (tokens >= 0),
  budget         INTEGER CHECK (budget >= 0),
  prefix_tokens  INTEGER CHECK (prefix_tokens >= 0),
  PRIMARY KEY (space_key, at, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX retrievals_by_time ON retrievals (at);

-- The receipt of a context: its contents and the reasons.
CREATE TABLE receipts (
  receipt_key   INTEGER PRIMARY KEY,
  space_key     INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  id            TEXT NOT NULL,
  conversation  TEXT NOT NULL,
  at            INTEGER NOT NULL,
  body          TEXT NOT NULL CHECK (json_valid(body)),
  messages      BLOB,  -- the keys of the messages in `items`
  items         BLOB
) STRICT;
CREATE UNIQUE INDEX receipts_by_id ON receipts (id);
CREATE INDEX receipts_by_time ON receipts (space_key, at);
CREATE INDEX receipts_by_conversation ON receipts (space_key, conversation, at);

-- ## Erasure, transfer, access

-- An erasure: what kind and how much, never the text. Receipts of contexts from before `until` are refused: they may
-- quote erased text. `pending` lists the parts of the file that are not scrubbed yet.
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
CREATE INDEX erasures_pending ON erasures (space_key, at) WHERE pending <> '[]';

-- Digests of the records of a space when it was last copied here; NULL during a copy. A space that still has these
-- digests was not changed since, and a newer copy may replace it.
CREATE TABLE copies (
  space_key  INTEGER PRIMARY KEY REFERENCES spaces ON DELETE CASCADE,
  digests    TEXT CHECK (digests IS NULL OR json_valid(digests))
) STRICT;

-- An API key. Only its digest is stored. `spaces` is a JSON list; NULL: all spaces.
CREATE TABLE keys (
  id          TEXT PRIMARY KEY,
  name        TEXT NOT NULL,
  access      TEXT NOT NULL CHECK (access IN ('read', 'write', 'admin')),
  spaces      TEXT CHECK (spaces IS NULL OR json_type(spaces) = 'array'),
  digest      BLOB NOT NULL CHECK (length(digest) = 32),
  created_at  INTEGER NOT NULL,
  revoked_at  INTEGER
) STRICT, WITHOUT ROWID;

-- How many requests a caller made in a time window, for servers with several processes.
CREATE TABLE rates (
  principal  TEXT NOT NULL,
  stretch    INTEGER NOT NULL,
  count      INTEGER NOT NULL CHECK (count > 0),
  PRIMARY KEY (principal, stretch)
) STRICT, WITHOUT ROWID;

-- The checksum of a row of another table, by the name of the table and the key of the row. See row_checksums.py.
CREATE TABLE checksums (
  source    TEXT NOT NULL,
  key       INTEGER NOT NULL,
  checksum  INTEGER NOT NULL,
  PRIMARY KEY (source, key)
) STRICT, WITHOUT ROWID;

-- ## The change feed

-- A change, for live views. Triggers write it, so no writer can forget it. It has keys and numbers only, no text and no
-- ids, so an erasure has nothing to erase here. Each space has its own numbers, from a random one on: a cursor of a
-- deleted space is never valid for a new one. The first row of a space says from where on the feed is complete.
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
CREATE INDEX changes_by_conversation ON changes (space_key, conversation_key);

-- An INSERT into this view appends a change with the next number. A deleted space has no more changes.
CREATE VIEW noted AS SELECT space_key, kind, action, conversation_key, record_key, seq FROM changes;

CREATE TRIGGER noted_next INSTEAD OF INSERT ON noted
WHEN EXISTS (SELECT 1 FROM spaces WHERE space_key = NEW.space_key)
BEGIN
  INSERT INTO changes (space_key, number, kind, action, conversation_key, record_key, seq, at)
  SELECT NEW.space_key, max(number) + 1, NEW.kind, NEW.action, NEW.conversation_key, NEW.record_key, NEW.seq,
         unixepoch()
  FROM changes WHERE space_key = NEW.space_key;
END;

CREATE TRIGGER spaces_noted AFTER INSERT ON spaces BEGIN
  INSERT INTO changes (space_key, number, kind, action, at)
  VALUES (NEW.space_key, 1 + abs(random() % 4503599627370496), 'space', 'added', unixepoch());
END;

CREATE TRIGGER conversations_noted AFTER INSERT ON conversations
BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'conversation', 'added', NEW.conversation_key, NEW.conversation_key, NULL);
END;
CREATE TRIGGER conversations_noted_changed
AFTER UPDATE OF status, title, outcome, model, metadata, muted, expires_at ON conversations
WHEN (NEW.status, NEW.title, NEW.outcome, NEW.model, NEW.metadata, NEW.muted, NEW.expires_at)
  IS NOT (OLD.status, OLD.title, OLD.outcome, OLD.model, OLD.metadata, OLD.muted, OLD.expires_at)
BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'conversation', 'changed', NEW.conversation_key, NEW.conversation_key, NULL);
END;
CREATE TRIGGER conversations_noted_removed AFTER DELETE ON conversations BEGIN  -- says that one was deleted, not which
  INSERT INTO noted VALUES (OLD.space_key, 'conversation', 'removed', NULL, NULL, NULL);
  DELETE FROM changes WHERE space_key = OLD.space_key AND conversation_key = OLD.conversation_key;
END;

CREATE TRIGGER messages_noted AFTER INSERT ON messages
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'message', 'added', NEW.conversation_key, NEW.message_key, NEW.seq); END;
CREATE TRIGGER messages_noted_changed AFTER UPDATE OF text, parts, metadata, raw ON messages
BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'message', 'changed', NEW.conversation_key, NEW.message_key, NEW.seq);
END;
CREATE TRIGGER messages_noted_removed AFTER DELETE ON messages
BEGIN INSERT INTO noted VALUES (OLD.space_key, 'message', 'removed', OLD.conversation_key, NULL, OLD.seq); END;

CREATE TRIGGER pins_noted AFTER INSERT ON pins
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'pin', 'added', NEW.conversation_key, NEW.pin_key, NULL); END;
CREATE TRIGGER pins_noted_changed AFTER UPDATE ON pins
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'pin', 'changed', NEW.conversation_key, NEW.pin_key, NULL); END;
CREATE TRIGGER pins_noted_removed AFTER DELETE ON pins
BEGIN INSERT INTO noted VALUES (OLD.space_key, 'pin', 'removed', OLD.conversation_key, NULL, NULL); END;

CREATE TRIGGER summaries_noted AFTER INSERT ON summaries
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'summary', 'added', NEW.conversation_key, NEW.summary_key, NULL); END;
CREATE TRIGGER summaries_noted_changed AFTER UPDATE ON summaries
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'summary', 'changed', NEW.conversation_key, NEW.summary_key, NULL); END;
CREATE TRIGGER summaries_noted_removed AFTER DELETE ON summaries
BEGIN INSERT INTO noted VALUES (OLD.space_key, 'summary', 'removed', OLD.conversation_key, NULL, NULL); END;

CREATE TRIGGER episodes_noted AFTER INSERT ON episodes
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'episode', 'added', NEW.conversation_key, NEW.episode_key, NULL); END;
CREATE TRIGGER episodes_noted_changed AFTER UPDATE ON episodes
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'episode', 'changed', NEW.conversation_key, NEW.episode_key, NULL); END;
CREATE TRIGGER episodes_noted_removed AFTER DELETE ON episodes
BEGIN INSERT INTO noted VALUES (OLD.space_key, 'episode', 'removed', OLD.conversation_key, NULL, NULL); END;

CREATE TRIGGER facts_noted AFTER INSERT ON facts
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'fact', 'added', NULL, NEW.fact_key, NULL); END;
CREATE TRIGGER facts_noted_changed AFTER UPDATE ON facts  -- not when only its access count changed
WHEN (NEW.text, NEW.value, NEW.status, NEW.valid_from, NEW.valid_until, NEW.known_until, NEW.updated_at)
  IS NOT (OLD.text, OLD.value, OLD.status, OLD.valid_from, OLD.valid_until, OLD.known_until, OLD.updated_at)
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'fact', 'changed', NULL, NEW.fact_key, NULL); END;
CREATE TRIGGER facts_noted_removed AFTER DELETE ON facts
BEGIN INSERT INTO noted VALUES (OLD.space_key, 'fact', 'removed', NULL, NULL, NULL); END;

CREATE TRIGGER items_noted AFTER INSERT ON items
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'item', 'added', NULL, NEW.item_key, NULL); END;
CREATE TRIGGER items_noted_changed AFTER UPDATE ON items
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'item', 'changed', NULL, NEW.item_key, NULL); END;
CREATE TRIGGER items_noted_removed AFTER DELETE ON items
BEGIN INSERT INTO noted VALUES (OLD.space_key, 'item', 'removed', NULL, NULL, NULL); END;

CREATE TRIGGER relations_noted AFTER INSERT ON relations
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'fact', 'changed', NULL, NEW.source_key, NULL); END;
CREATE TRIGGER relations_noted_removed AFTER DELETE ON relations
WHEN EXISTS (SELECT 1 FROM facts WHERE fact_key = OLD.source_key)
BEGIN INSERT INTO noted VALUES (OLD.space_key, 'fact', 'changed', NULL, OLD.source_key, NULL); END;

CREATE TRIGGER consents_noted AFTER INSERT ON consents
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'consent', 'changed', NULL, NULL, NULL); END;
CREATE TRIGGER consents_noted_changed AFTER UPDATE ON consents
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'consent', 'changed', NULL, NULL, NULL); END;

CREATE TRIGGER profiles_noted AFTER INSERT ON profiles
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'profile', 'changed', NULL, NULL, NULL); END;
CREATE TRIGGER profiles_noted_removed AFTER DELETE ON profiles
BEGIN INSERT INTO noted VALUES (OLD.space_key, 'profile', 'changed', NULL, NULL, NULL); END;

CREATE TRIGGER preferences_noted AFTER INSERT ON preferences
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'setting', 'changed', NULL, NULL, NULL); END;
CREATE TRIGGER preferences_noted_changed AFTER UPDATE ON preferences
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'setting', 'changed', NULL, NULL, NULL); END;
CREATE TRIGGER preferences_noted_removed AFTER DELETE ON preferences
BEGIN INSERT INTO noted VALUES (OLD.space_key, 'setting', 'changed', NULL, NULL, NULL); END;

CREATE TRIGGER erasures_noted AFTER INSERT ON erasures
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'erasure', 'added', NULL, NULL, NULL); END;
CREATE TRIGGER erasures_noted_changed AFTER UPDATE ON erasures
BEGIN INSERT INTO noted VALUES (NEW.space_key, 'erasure', 'changed', NULL, NULL, NULL); END;

-- ## Derived tables: `doctor --repair` runs this section alone and fills the tables from the others

-- The full-text indexes of chunks and notes. Terms come from aforesaid.text.analyzer and start with the key of their
-- space, so the postings of a term belong to one space. Positions are not stored: how often a term occurs is a term of
-- its own (see chunks.py), which halves the index.
CREATE VIRTUAL TABLE IF NOT EXISTS chunk_terms USING fts5(
  terms, content = '', contentless_delete = 1, detail = none,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'");
CREATE VIRTUAL TABLE IF NOT EXISTS chunk_postings USING fts5vocab(chunk_terms, instance);

CREATE VIRTUAL TABLE IF NOT EXISTS note_terms USING fts5(
  terms, content = '', contentless_delete = 1, detail = none,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'");
CREATE VIRTUAL TABLE IF NOT EXISTS note_postings USING fts5vocab(note_terms, instance);

-- The vector of a chunk, or of a whole message (part -1), that is not in a block yet.
CREATE TABLE IF NOT EXISTS vectors (
  space_key         INTEGER NOT NULL,
  model_key         INTEGER NOT NULL,
  message_key       INTEGER NOT NULL,
  part              INTEGER NOT NULL,
  conversation_key  INTEGER NOT NULL,
  chunk_key         INTEGER NOT NULL,
  scale             REAL NOT NULL,
  data              BLOB NOT NULL,
  PRIMARY KEY (space_key, model_key, message_key, part)
) STRICT, WITHOUT ROWID;

-- About a thousand vectors of a space, read together. A key is never used again, so a cached block stays valid.
CREATE TABLE IF NOT EXISTS vector_blocks (
  block_key  INTEGER PRIMARY KEY AUTOINCREMENT,
  space_key  INTEGER NOT NULL,
  model_key  INTEGER NOT NULL,
  count      INTEGER NOT NULL CHECK (count > 0),
  targets    BLOB NOT NULL,
  scales     BLOB NOT NULL,
  data       BLOB NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS vector_blocks_by_space ON vector_blocks (space_key, model_key);

-- The vector of a note. Keys rise, so new vectors are those after the last key that was read.
CREATE TABLE IF NOT EXISTS note_vectors (
  vector_key  INTEGER PRIMARY KEY AUTOINCREMENT,
  space_key   INTEGER NOT NULL,
  model_key   INTEGER NOT NULL,
  note_key    INTEGER NOT NULL,
  scale       REAL NOT NULL,
  data        BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS note_vectors_by_model ON note_vectors (model_key, note_key);
CREATE INDEX IF NOT EXISTS note_vectors_by_note ON note_vectors (note_key);
CREATE INDEX IF NOT EXISTS note_vectors_by_space ON note_vectors (space_key, model_key);
