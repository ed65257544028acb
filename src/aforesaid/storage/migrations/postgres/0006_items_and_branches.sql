-- Branches: a conversation that shares the messages of another one, its parent, up to a seq.

ALTER TABLE conversations ADD COLUMN parent_key bigint;
ALTER TABLE conversations ADD COLUMN forked_at bigint CHECK (forked_at >= -1);
ALTER TABLE conversations ADD FOREIGN KEY (space_key, parent_key) REFERENCES conversations;
CREATE INDEX conversations_branches ON conversations (space_key, parent_key) WHERE parent_key IS NOT NULL;
