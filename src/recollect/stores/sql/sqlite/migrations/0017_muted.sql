-- A muted conversation keeps its words to itself: they are neither recalled elsewhere nor distilled.

ALTER TABLE conversations ADD COLUMN muted INTEGER NOT NULL DEFAULT 0 CHECK (muted IN (0, 1));
CREATE INDEX conversations_muted ON conversations (space_key) WHERE muted;

DROP TRIGGER conversations_noted_changed;
CREATE TRIGGER conversations_noted_changed
AFTER UPDATE OF status, title, outcome, model, metadata, muted ON conversations
WHEN (NEW.status, NEW.title, NEW.outcome, NEW.model, NEW.metadata, NEW.muted)
  IS NOT (OLD.status, OLD.title, OLD.outcome, OLD.model, OLD.metadata, OLD.muted)
BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'conversation', 'changed', NEW.conversation_key, NEW.conversation_key, NULL);
END;
