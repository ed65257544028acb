-- Branches: a conversation that shares the messages of another one, its parent, up to a seq.

ALTER TABLE conversations ADD COLUMN parent_key INTEGER REFERENCES conversations;
ALTER TABLE conversations ADD COLUMN forked_at INTEGER CHECK (forked_at >= -1);
CREATE INDEX conversations_branches ON conversations (space_key, parent_key) WHERE parent_key IS NOT NULL;
