-- What goes with its conversation is not told by itself: that the conversation went is told already.

CREATE OR REPLACE FUNCTION records_noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP <> 'DELETE' THEN
    PERFORM note_change(NEW.space_key, TG_ARGV[0], CASE TG_OP WHEN 'INSERT' THEN 'added' ELSE 'changed' END,
                        NEW.conversation_key, (to_jsonb(NEW) ->> TG_ARGV[1])::bigint, NULL);
  ELSIF EXISTS (SELECT 1 FROM conversations c
                WHERE c.space_key = OLD.space_key AND c.conversation_key = OLD.conversation_key) THEN
    PERFORM note_change(OLD.space_key, TG_ARGV[0], 'removed', OLD.conversation_key, NULL, NULL);
  END IF;
  RETURN NULL;
END $$;

SELECT pinned('records_noted()');
