-- fragment: in_conversation
space_key = :space_key AND conversation_key = :conversation_key

-- fragment: insert_conversation
INSERT INTO conversations
  (space_key, id, status, title, outcome, model, metadata, created_at, updated_at, ended_at, muted, expires_at) {values}

-- fragment: conversation_columns
c.id, :space AS space, c.status, c.title, c.outcome, c.model, c.messages, c.turns, c.tokens,
       c.created_at, c.updated_at, c.ended_at, c.metadata, c.muted, c.expires_at

-- name: find
SELECT c.space_key, c.conversation_key FROM conversations c JOIN spaces s USING (space_key)
WHERE s.id = :space AND c.id = :conversation AND {live c};

-- name: stored
SELECT c.space_key, c.conversation_key, c.expires_at <= :now AS expired
FROM conversations c JOIN spaces s USING (space_key) WHERE s.id = :space AND c.id = :conversation;

-- name: get
SELECT {conversation_columns} FROM conversations c WHERE c.space_key = {named_space} AND c.id = :conversation
  AND {live c};

-- name: grow
UPDATE conversations SET
  next_seq = next_seq + :messages, messages = messages + :messages, turns = turns + :turns,
  tokens = tokens + :tokens, chunks = chunks + :chunks, terms = terms + :terms,
  model = coalesce(:model, model), updated_at = :at, status = 'active', ended_at = NULL
WHERE space_key = {named_space} AND id = :conversation AND (expires_at IS NULL OR expires_at > :at)
RETURNING space_key, conversation_key, next_seq - :messages AS first;

-- name: list
SELECT {conversation_columns} FROM conversations c WHERE c.space_key = {named_space} AND c.conversation_key > :after
  AND (CAST(:status AS text) IS NULL OR c.status = :status) AND {live c} ORDER BY c.conversation_key LIMIT :limit;

-- name: make
{insert_conversation} RETURNING conversation_key;

-- name: save
{insert_conversation} ON CONFLICT (space_key, id) DO UPDATE SET
  {excluded status, title, outcome, model, metadata, created_at, updated_at, ended_at, muted, expires_at};

-- name: restore
UPDATE conversations SET
  next_seq = {greatest}(next_seq, :next_seq), messages = messages + :messages, turns = turns + :turns,
  tokens = tokens + :tokens, chunks = chunks + :chunks, terms = terms + :terms
WHERE {in_conversation};

-- name: delete
DELETE FROM conversations WHERE {in_conversation};

-- name: expire
UPDATE conversations SET expires_at = :expires_at WHERE {in_conversation};

-- name: reweigh
UPDATE conversations SET chunks = chunks + :chunks, terms = terms + :terms WHERE {in_conversation};
