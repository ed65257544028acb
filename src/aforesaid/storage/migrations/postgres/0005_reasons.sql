-- Why a person archived or rejected a fact, its status before, and whether a quote still says the fact.

ALTER TABLE facts ADD COLUMN reason text COLLATE "C";
ALTER TABLE facts ADD COLUMN withdrawn_from text COLLATE "C"
  CHECK (withdrawn_from IN ('pending', 'active', 'superseded', 'archived'));
ALTER TABLE evidence ADD COLUMN supports bigint NOT NULL DEFAULT 1 CHECK (supports IN (0, 1));
