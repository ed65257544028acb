-- What has changed, for those who show it live: noted by the database itself, so no writer can forget it. Keys and
-- numbers only: no words and no ids, so that what is forgotten needs no forgetting here.
--
-- Each space counts for itself, from a random number on: a cursor of a space that was deleted and made again fits
-- nowhere, and no space can see how much is written in another. The first row of a space says from where on nothing is
-- missing: 'added' with the space itself, 'changed' where what was before it is not kept.

CREATE TABLE changes (
  space_key         INTEGER NOT NULL REFERENCES spaces ON DELETE CASCADE,
  number            INTEGER NOT NULL CHECK (number > 0),
  kind              TEXT NOT NULL CHECK (kind IN ('space', 'conversation', 'message', 'pin', 'summary', 'fact',
                                                  'episode', 'consent', 'profile', 'setting', 'erasure')),
  action            TEXT NOT NULL CHECK (action IN ('added', 'changed', 'removed')),
  conversation_key  INTEGER,
  record_key        INTEGER,  -- none for what is removed, and for what a space has one of
  seq               INTEGER CHECK (seq >= 0),  -- of a message
  at                INTEGER NOT NULL,  -- seconds, by the database's own clock: for housekeeping alone
  PRIMARY KEY (space_key, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX changes_by_conversation ON changes (space_key, conversation_key);

CREATE VIEW noted AS SELECT space_key, kind, action, conversation_key, record_key, seq FROM changes;

CREATE TRIGGER noted_next INSTEAD OF INSERT ON noted
WHEN EXISTS (SELECT 1 FROM spaces WHERE space_key = NEW.space_key)  -- a space that goes takes its changes along
BEGIN
  INSERT INTO changes (space_key, number, kind, action, conversation_key, record_key, seq, at)
  SELECT NEW.space_key, max(number) + 1, NEW.kind, NEW.action, NEW.conversation_key, NEW.record_key, NEW.seq,
         unixepoch()
  FROM changes WHERE space_key = NEW.space_key;
END;

INSERT INTO changes (space_key, number, kind, action, at)
SELECT space_key, 1 + abs(random() % 4503599627370496), 'space', 'changed', unixepoch() FROM spaces;

CREATE TRIGGER spaces_noted AFTER INSERT ON spaces BEGIN
  INSERT INTO changes (space_key, number, kind, action, at)
  VALUES (NEW.space_key, 1 + abs(random() % 4503599627370496), 'space', 'added', unixepoch());
END;

CREATE TRIGGER conversations_noted AFTER INSERT ON conversations BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'conversation', 'added', NEW.conversation_key, NEW.conversation_key, NULL);
END;

CREATE TRIGGER conversations_noted_changed AFTER UPDATE OF status, title, outcome, model, metadata ON conversations
WHEN (NEW.status, NEW.title, NEW.outcome, NEW.model, NEW.metadata)
  IS NOT (OLD.status, OLD.title, OLD.outcome, OLD.model, OLD.metadata)
BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'conversation', 'changed', NEW.conversation_key, NEW.conversation_key, NULL);
END;

-- A conversation that goes takes its changes along; what stays says that one went, not which.

CREATE TRIGGER conversations_noted_removed AFTER DELETE ON conversations BEGIN
  INSERT INTO noted VALUES (OLD.space_key, 'conversation', 'removed', NULL, NULL, NULL);
  DELETE FROM changes WHERE space_key = OLD.space_key AND conversation_key = OLD.conversation_key;
END;

CREATE TRIGGER messages_noted AFTER INSERT ON messages BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'message', 'added', NEW.conversation_key, NEW.message_key, NEW.seq);
END;

CREATE TRIGGER messages_noted_changed AFTER UPDATE OF text, parts ON messages BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'message', 'changed', NEW.conversation_key, NEW.message_key, NEW.seq);
END;

CREATE TRIGGER messages_noted_removed AFTER DELETE ON messages BEGIN
  INSERT INTO noted VALUES (OLD.space_key, 'message', 'removed', OLD.conversation_key, NULL, OLD.seq);
END;

CREATE TRIGGER pins_noted AFTER INSERT ON pins BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'pin', 'added', NEW.conversation_key, NEW.pin_key, NULL);
END;

CREATE TRIGGER pins_noted_changed AFTER UPDATE ON pins BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'pin', 'changed', NEW.conversation_key, NEW.pin_key, NULL);
END;

CREATE TRIGGER pins_noted_removed AFTER DELETE ON pins BEGIN
  INSERT INTO noted VALUES (OLD.space_key, 'pin', 'removed', OLD.conversation_key, NULL, NULL);
END;

CREATE TRIGGER summaries_noted AFTER INSERT ON summaries BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'summary', 'added', NEW.conversation_key, NEW.summary_key, NULL);
END;

CREATE TRIGGER summaries_noted_changed AFTER UPDATE ON summaries BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'summary', 'changed', NEW.conversation_key, NEW.summary_key, NULL);
END;

CREATE TRIGGER summaries_noted_removed AFTER DELETE ON summaries BEGIN
  INSERT INTO noted VALUES (OLD.space_key, 'summary', 'removed', OLD.conversation_key, NULL, NULL);
END;

CREATE TRIGGER episodes_noted AFTER INSERT ON episodes BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'episode', 'added', NEW.conversation_key, NEW.episode_key, NULL);
END;

CREATE TRIGGER episodes_noted_changed AFTER UPDATE ON episodes BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'episode', 'changed', NEW.conversation_key, NEW.episode_key, NULL);
END;

CREATE TRIGGER episodes_noted_removed AFTER DELETE ON episodes BEGIN
  INSERT INTO noted VALUES (OLD.space_key, 'episode', 'removed', OLD.conversation_key, NULL, NULL);
END;

-- A fact that is only handed out has not changed.

CREATE TRIGGER facts_noted AFTER INSERT ON facts BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'fact', 'added', NULL, NEW.fact_key, NULL);
END;

CREATE TRIGGER facts_noted_changed AFTER UPDATE ON facts
WHEN (NEW.text, NEW.value, NEW.status, NEW.valid_from, NEW.valid_until, NEW.known_until, NEW.updated_at)
  IS NOT (OLD.text, OLD.value, OLD.status, OLD.valid_from, OLD.valid_until, OLD.known_until, OLD.updated_at)
BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'fact', 'changed', NULL, NEW.fact_key, NULL);
END;

CREATE TRIGGER facts_noted_removed AFTER DELETE ON facts BEGIN
  INSERT INTO noted VALUES (OLD.space_key, 'fact', 'removed', NULL, NULL, NULL);
END;

CREATE TRIGGER relations_noted AFTER INSERT ON relations BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'fact', 'changed', NULL, NEW.source_key, NULL);
END;

CREATE TRIGGER relations_noted_removed AFTER DELETE ON relations
WHEN EXISTS (SELECT 1 FROM facts WHERE fact_key = OLD.source_key)
BEGIN
  INSERT INTO noted VALUES (OLD.space_key, 'fact', 'changed', NULL, OLD.source_key, NULL);
END;

CREATE TRIGGER consents_noted AFTER INSERT ON consents BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'consent', 'changed', NULL, NULL, NULL);
END;

CREATE TRIGGER consents_noted_changed AFTER UPDATE ON consents BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'consent', 'changed', NULL, NULL, NULL);
END;

CREATE TRIGGER profiles_noted AFTER INSERT ON profiles BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'profile', 'changed', NULL, NULL, NULL);
END;

CREATE TRIGGER profiles_noted_removed AFTER DELETE ON profiles BEGIN
  INSERT INTO noted VALUES (OLD.space_key, 'profile', 'changed', NULL, NULL, NULL);
END;

CREATE TRIGGER preferences_noted AFTER INSERT ON preferences BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'setting', 'changed', NULL, NULL, NULL);
END;

CREATE TRIGGER preferences_noted_changed AFTER UPDATE ON preferences BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'setting', 'changed', NULL, NULL, NULL);
END;

CREATE TRIGGER preferences_noted_removed AFTER DELETE ON preferences BEGIN
  INSERT INTO noted VALUES (OLD.space_key, 'setting', 'changed', NULL, NULL, NULL);
END;

CREATE TRIGGER erasures_noted AFTER INSERT ON erasures BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'erasure', 'added', NULL, NULL, NULL);
END;

CREATE TRIGGER erasures_noted_changed AFTER UPDATE ON erasures BEGIN
  INSERT INTO noted VALUES (NEW.space_key, 'erasure', 'changed', NULL, NULL, NULL);
END;
