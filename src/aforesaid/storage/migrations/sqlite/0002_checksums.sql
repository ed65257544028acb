-- Every record has a checksum. The store computes those of the records that are there already.

ALTER TABLE messages ADD COLUMN checksum INTEGER;  -- see checksums.py
ALTER TABLE chunks ADD COLUMN checksum INTEGER;  -- see row_checksums.py

CREATE TABLE checksums (
  source    TEXT NOT NULL,
  key       INTEGER NOT NULL,
  checksum  INTEGER NOT NULL,
  PRIMARY KEY (source, key)
) STRICT, WITHOUT ROWID;
