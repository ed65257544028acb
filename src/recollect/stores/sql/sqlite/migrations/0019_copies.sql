-- How a space was when it was last copied here: a digest of each kind of record. None while it is being copied. What is
-- still so was not touched since, and may be replaced by a newer copy.

CREATE TABLE copies (
  space_key  INTEGER PRIMARY KEY REFERENCES spaces ON DELETE CASCADE,
  digests    TEXT CHECK (digests IS NULL OR json_valid(digests))
) STRICT;
