-- How much of its rate each caller has been given in a stretch of time, for servers of several processes. What a crash
-- takes of it nobody misses.

CREATE UNLOGGED TABLE rates (
  principal  text COLLATE "C" NOT NULL,
  stretch    bigint NOT NULL,
  count      bigint NOT NULL CHECK (count > 0),
  PRIMARY KEY (principal, stretch)
);
