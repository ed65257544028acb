-- How much of its rate each caller has been given in a stretch of time, for servers of several processes.

CREATE TABLE rates (
  principal  TEXT NOT NULL,
  stretch    INTEGER NOT NULL,
  count      INTEGER NOT NULL CHECK (count > 0),
  PRIMARY KEY (principal, stretch)
) STRICT, WITHOUT ROWID;
