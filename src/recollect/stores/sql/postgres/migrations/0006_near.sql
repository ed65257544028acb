-- Which spaces' vectors are in `near` (see vector_tables.sql): up to which block they were taken there, and whether all
-- of them were. From its row on, every new vector of the space goes there too.

CREATE TABLE near_spaces (
  space_key  bigint NOT NULL REFERENCES spaces ON DELETE CASCADE,
  model_key  bigint NOT NULL,
  reached    bigint NOT NULL DEFAULT 0,
  filled     bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (space_key, model_key)
);

SELECT wall('near_spaces', 'space_key = (SELECT scope())');
