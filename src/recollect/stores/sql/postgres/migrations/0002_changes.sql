-- What has changed is noted by the database itself, so no writer can forget it. Whoever writes to a space holds it, so
-- its numbers rise in the order in which they are committed.

CREATE FUNCTION note_change(space bigint, what text, became text, conversation bigint, record bigint, place bigint)
RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO changes (space_key, number, kind, action, conversation_key, record_key, seq, at)
  SELECT space, (SELECT c.number FROM changes c WHERE c.space_key = space ORDER BY c.number DESC LIMIT 1) + 1,
         what, became, conversation, record, place, extract(epoch FROM clock_timestamp())::bigint
  WHERE EXISTS (SELECT 1 FROM spaces s WHERE s.space_key = space);  -- a space that goes takes its changes along
END $$;

CREATE FUNCTION spaces_noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO changes (space_key, number, kind, action, at)
  VALUES (NEW.space_key, 1 + floor(random() * 4503599627370496)::bigint, 'space', 'added',
          extract(epoch FROM clock_timestamp())::bigint);
  RETURN NULL;
END $$;

CREATE TRIGGER spaces_noted AFTER INSERT ON spaces FOR EACH ROW EXECUTE FUNCTION spaces_noted();

CREATE FUNCTION conversations_noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN  -- it takes its changes along; what stays says that one went, not which
    PERFORM note_change(OLD.space_key, 'conversation', 'removed', NULL, NULL, NULL);
    DELETE FROM changes WHERE space_key = OLD.space_key AND conversation_key = OLD.conversation_key;
  ELSE
    PERFORM note_change(NEW.space_key, 'conversation', CASE TG_OP WHEN 'INSERT' THEN 'added' ELSE 'changed' END,
                        NEW.conversation_key, NEW.conversation_key, NULL);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER conversations_noted AFTER INSERT OR DELETE ON conversations
FOR EACH ROW EXECUTE FUNCTION conversations_noted();

CREATE TRIGGER conversations_noted_changed AFTER UPDATE ON conversations FOR EACH ROW
WHEN ((NEW.status, NEW.title, NEW.outcome, NEW.model, NEW.metadata, NEW.muted)
      IS DISTINCT FROM (OLD.status, OLD.title, OLD.outcome, OLD.model, OLD.metadata, OLD.muted))
EXECUTE FUNCTION conversations_noted();

CREATE FUNCTION messages_noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM note_change(OLD.space_key, 'message', 'removed', OLD.conversation_key, NULL, OLD.seq);
  ELSE
    PERFORM note_change(NEW.space_key, 'message', CASE TG_OP WHEN 'INSERT' THEN 'added' ELSE 'changed' END,
                        NEW.conversation_key, NEW.message_key, NEW.seq);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER messages_noted AFTER INSERT OR DELETE OR UPDATE OF text, parts ON messages
FOR EACH ROW EXECUTE FUNCTION messages_noted();

-- Pins, summaries and episodes alike: the trigger says what they are and what their key is called.

CREATE FUNCTION records_noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM note_change(OLD.space_key, TG_ARGV[0], 'removed', OLD.conversation_key, NULL, NULL);
  ELSE
    PERFORM note_change(NEW.space_key, TG_ARGV[0], CASE TG_OP WHEN 'INSERT' THEN 'added' ELSE 'changed' END,
                        NEW.conversation_key, (to_jsonb(NEW) ->> TG_ARGV[1])::bigint, NULL);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER pins_noted AFTER INSERT OR UPDATE OR DELETE ON pins
FOR EACH ROW EXECUTE FUNCTION records_noted('pin', 'pin_key');

CREATE TRIGGER summaries_noted AFTER INSERT OR UPDATE OR DELETE ON summaries
FOR EACH ROW EXECUTE FUNCTION records_noted('summary', 'summary_key');

CREATE TRIGGER episodes_noted AFTER INSERT OR UPDATE OR DELETE ON episodes
FOR EACH ROW EXECUTE FUNCTION records_noted('episode', 'episode_key');

-- A fact that is only handed out has not changed.

CREATE FUNCTION facts_noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM note_change(OLD.space_key, 'fact', 'removed', NULL, NULL, NULL);
  ELSE
    PERFORM note_change(NEW.space_key, 'fact', CASE TG_OP WHEN 'INSERT' THEN 'added' ELSE 'changed' END,
                        NULL, NEW.fact_key, NULL);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER facts_noted AFTER INSERT OR DELETE ON facts FOR EACH ROW EXECUTE FUNCTION facts_noted();

CREATE TRIGGER facts_noted_changed AFTER UPDATE ON facts FOR EACH ROW
WHEN ((NEW.text, NEW.value, NEW.status, NEW.valid_from, NEW.valid_until, NEW.known_until, NEW.updated_at)
      IS DISTINCT FROM
      (OLD.text, OLD.value, OLD.status, OLD.valid_from, OLD.valid_until, OLD.known_until, OLD.updated_at))
EXECUTE FUNCTION facts_noted();

CREATE FUNCTION relations_noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM note_change(NEW.space_key, 'fact', 'changed', NULL, NEW.source_key, NULL);
  ELSIF EXISTS (SELECT 1 FROM facts f WHERE f.space_key = OLD.space_key AND f.fact_key = OLD.source_key) THEN
    PERFORM note_change(OLD.space_key, 'fact', 'changed', NULL, OLD.source_key, NULL);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER relations_noted AFTER INSERT OR DELETE ON relations
FOR EACH ROW EXECUTE FUNCTION relations_noted();

-- What a space has one of: the trigger says what it is, and what became of it.

CREATE FUNCTION thing_noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM note_change(OLD.space_key, TG_ARGV[0], TG_ARGV[1], NULL, NULL, NULL);
  ELSE
    PERFORM note_change(NEW.space_key, TG_ARGV[0], TG_ARGV[1], NULL, NULL, NULL);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER consents_noted AFTER INSERT OR UPDATE ON consents
FOR EACH ROW EXECUTE FUNCTION thing_noted('consent', 'changed');

CREATE TRIGGER profiles_noted AFTER INSERT OR DELETE ON profiles
FOR EACH ROW EXECUTE FUNCTION thing_noted('profile', 'changed');

CREATE TRIGGER preferences_noted AFTER INSERT OR UPDATE OR DELETE ON preferences
FOR EACH ROW EXECUTE FUNCTION thing_noted('setting', 'changed');

CREATE TRIGGER erasures_noted AFTER INSERT ON erasures
FOR EACH ROW EXECUTE FUNCTION thing_noted('erasure', 'added');

CREATE TRIGGER erasures_noted_changed AFTER UPDATE ON erasures
FOR EACH ROW EXECUTE FUNCTION thing_noted('erasure', 'changed');

-- Messages that left, or were split anew.

CREATE FUNCTION messages_left() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE spaces SET revision = revision + 1 WHERE space_key IN (SELECT o.space_key FROM old_messages o);
  RETURN NULL;
END $$;

CREATE TRIGGER messages_left AFTER DELETE ON messages REFERENCING OLD TABLE AS old_messages
FOR EACH STATEMENT EXECUTE FUNCTION messages_left();

CREATE FUNCTION messages_split_anew() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE spaces SET revision = revision + 1 WHERE space_key = NEW.space_key;
  RETURN NULL;
END $$;

CREATE TRIGGER messages_split_anew AFTER UPDATE OF first_chunk, last_chunk ON messages
FOR EACH ROW EXECUTE FUNCTION messages_split_anew();

-- Nothing but deleting the whole space takes an entry of the audit away, and nothing changes one.

CREATE FUNCTION audit_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT 1 FROM spaces s WHERE s.space_key = OLD.space_key) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the audit is append-only';
END $$;

CREATE TRIGGER audit_kept BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_kept();
