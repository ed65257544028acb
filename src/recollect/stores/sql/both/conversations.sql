-- name: key
SELECT conversation_key FROM conversations WHERE space_key = :space_key AND id = :conversation;

-- name: find
SELECT c.space_key, c.conversation_key FROM conversations c JOIN spaces s USING (space_key)
WHERE s.id = :space AND c.id = :conversation;

-- name: get
SELECT c.id, :space AS space, c.status, c.title, c.outcome, c.model, c.messages, c.turns, c.tokens,
       c.created_at, c.updated_at, c.ended_at, c.metadata, c.muted
FROM conversations c WHERE c.space_key = (SELECT space_key FROM spaces WHERE id = :space) AND c.id = :conversation;

-- name: grow
UPDATE conversations SET
  next_seq = next_seq + :messages, messages = messages + :messages, turns = turns + :turns,
  tokens = tokens + :tokens, chunks = chunks + :chunks, terms = terms + :terms,
  model = coalesce(:model, model), updated_at = :at, status = 'active', ended_at = NULL
WHERE space_key = (SELECT space_key FROM spaces WHERE id = :space) AND id = :conversation
RETURNING space_key, conversation_key, next_seq - :messages;
