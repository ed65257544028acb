-- What messages say about time. A message's own offset says where its days begin: seconds east of UTC.

ALTER TABLE messages ADD COLUMN utc_offset INTEGER NOT NULL DEFAULT 0;

CREATE TABLE mentions (
  space_key    INTEGER NOT NULL,
  message_key  INTEGER NOT NULL,
  start        INTEGER NOT NULL,
  stop         INTEGER NOT NULL CHECK (stop > start),
  text         TEXT NOT NULL,
  position     INTEGER NOT NULL,  -- its place among the message's mentions
  PRIMARY KEY (space_key, message_key, start, stop)
) STRICT, WITHOUT ROWID;

-- Messages from before this version are read in the background.

INSERT OR IGNORE INTO jobs (state, message_key, kind, space_key, due_at, created_at)
SELECT 'queued', message_key, 'times', space_key, 0, created_at FROM messages WHERE role <> 'system' AND text <> '';
