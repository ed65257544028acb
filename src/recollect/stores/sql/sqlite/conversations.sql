-- name: list
SELECT c.id, :space AS space, c.status, c.title, c.outcome, c.model, c.messages, c.turns, c.tokens,
       c.created_at, c.updated_at, c.ended_at, c.metadata, c.muted
FROM conversations c
WHERE c.space_key = (SELECT space_key FROM spaces WHERE id = :space)
  AND c.conversation_key > :after
  AND (:status IS NULL OR c.status = :status)
ORDER BY c.conversation_key LIMIT :limit;

-- name: make
INSERT INTO conversations (
  space_key, id, status, title, outcome, model, metadata, created_at, updated_at, ended_at, muted
)
VALUES (
  :space_key, :conversation, :status, :title, :outcome, :model, :metadata, :created_at, :updated_at, :ended_at, :muted
)
RETURNING conversation_key;

-- name: save
INSERT INTO conversations (
  space_key, id, status, title, outcome, model, metadata, created_at, updated_at, ended_at, muted
)
VALUES (
  :space_key, :conversation, :status, :title, :outcome, :model, :metadata, :created_at, :updated_at, :ended_at, :muted
)
ON CONFLICT (space_key, id) DO UPDATE SET
  status = excluded.status, title = excluded.title, outcome = excluded.outcome, model = excluded.model,
  metadata = excluded.metadata, created_at = excluded.created_at, updated_at = excluded.updated_at,
  ended_at = excluded.ended_at, muted = excluded.muted;

-- name: restore
UPDATE conversations SET
  next_seq = max(next_seq, :next_seq), messages = messages + :messages, turns = turns + :turns,
  tokens = tokens + :tokens, chunks = chunks + :chunks, terms = terms + :terms
WHERE conversation_key = :conversation_key;

-- name: delete
DELETE FROM conversations WHERE conversation_key = :conversation_key;

-- name: reweigh
UPDATE conversations SET chunks = chunks + :chunks, terms = terms + :terms WHERE conversation_key = :conversation_key;
