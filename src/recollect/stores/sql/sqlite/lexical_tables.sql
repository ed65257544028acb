-- Rebuilt from the log by `doctor --repair`, so a migration never has to carry them along.
-- Terms are made by recollect.text.terms and carry their space, so a term's postings are one space's own.
-- Positions are not kept: how often a term occurs is a term of its own (see chunks.py), which halves the index.

CREATE VIRTUAL TABLE IF NOT EXISTS chunk_terms USING fts5(
  terms,
  content = '',
  contentless_delete = 1,
  detail = none,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
);

CREATE VIRTUAL TABLE IF NOT EXISTS chunk_postings USING fts5vocab(chunk_terms, instance);

CREATE VIRTUAL TABLE IF NOT EXISTS note_terms USING fts5(
  terms,
  content = '',
  contentless_delete = 1,
  detail = none,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
);

CREATE VIRTUAL TABLE IF NOT EXISTS note_postings USING fts5vocab(note_terms, instance);
