-- How a space was when it was last copied here: a digest of each kind of record. None while it is being copied. What is
-- still so was not touched since, and may be replaced by a newer copy.

CREATE TABLE copies (
  space_key  bigint PRIMARY KEY REFERENCES spaces ON DELETE CASCADE,
  digests    text COLLATE "C" CHECK (digests IS NULL OR digests::json IS NOT NULL)
);

SELECT wall('copies', 'space_key = (SELECT scope())');
