-- fragment: in_conversation
space_key = :space_key AND conversation_key = :conversation_key

-- fragment: insert_conversation
INSERT INTO conversations
  (space_key, id, status, title, outcome, model, metadata, created_at, updated_at, ended_at, muted, expires_at,
   parent_key, forked_at, next_seq) {values}

-- fragment: conversation_columns
c.id, :space AS space, c.status, c.title, c.outcome, c.model, c.messages, c.turns, c.tokens,
       c.created_at, c.updated_at, c.ended_at, c.metadata, c.muted, c.expires_at, c.forked_at,
       (SELECT p.id FROM conversations p WHERE p.space_key = c.space_key AND p.conversation_key = c.parent_key)
         AS parent,
       (SELECT m.created_at FROM messages m WHERE m.conversation_key = c.conversation_key AND m.space_key = c.space_key
          AND {live m} ORDER BY m.seq DESC LIMIT 1) AS last_message_at

-- name: find
SELECT c.space_key, c.conversation_key, c.parent_key, c.forked_at FROM conversations c JOIN spaces s USING (space_key)
WHERE s.id = :space AND c.id = :conversation AND {live c};

-- name: stored
SELECT c.space_key, c.conversation_key, c.expires_at <= :now AS expired
FROM conversations c JOIN spaces s USING (space_key) WHERE s.id = :space AND c.id = :conversation;

-- name: get
SELECT {conversation_columns} FROM conversations c WHERE c.space_key = {named_space} AND c.id = :conversation
  AND {live c};

-- name: size
SELECT c.messages, c.tokens, c.muted, c.parent_key FROM conversations c WHERE c.space_key = {named_space}
  AND c.id = :conversation AND {live c};

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

-- name: branches
SELECT {conversation_columns} FROM conversations c
WHERE c.space_key = :space_key AND c.parent_key = :conversation_key AND {live c}
ORDER BY c.conversation_key;

-- name: line
WITH RECURSIVE line (conversation_key, id, last_seq, until, parent_key, forked_at, created_at, expires_at) AS (
  SELECT c.conversation_key, c.id, CAST(:no_end AS bigint), CAST(:no_end AS bigint), c.parent_key, c.forked_at,
         c.created_at, CAST(NULL AS bigint)
  FROM conversations c WHERE c.space_key = :space_key AND c.conversation_key = :conversation_key
  UNION ALL
  SELECT p.conversation_key, p.id, {least}(l.last_seq, l.forked_at), {least}(l.until, l.created_at),
         p.parent_key, p.forked_at, p.created_at, p.expires_at
  FROM line l {join_in_order} conversations p
    ON p.space_key = :space_key AND p.conversation_key = l.parent_key AND p.conversation_key < l.conversation_key)
SELECT l.conversation_key, l.id AS conversation, l.last_seq, l.until FROM line l WHERE {live l}
ORDER BY l.conversation_key;

-- name: shared
SELECT c.messages - count(m.seq) AS messages, c.tokens - coalesce(sum(m.tokens), 0) AS tokens
FROM conversations c
LEFT JOIN messages m ON m.conversation_key = c.conversation_key AND m.space_key = c.space_key AND m.seq > :last_seq
WHERE c.space_key = :space_key AND c.conversation_key = :conversation_key
GROUP BY c.conversation_key, c.messages, c.tokens;

-- name: named_like
SELECT id FROM conversations WHERE space_key = :space_key AND id >= :first AND id < :last;

-- name: children
SELECT c.id FROM conversations c WHERE c.space_key = :space_key AND c.parent_key = :conversation_key AND {live c}
ORDER BY c.conversation_key;

-- name: reattach
UPDATE conversations AS c SET parent_key = p.parent_key,
  forked_at = CASE WHEN p.parent_key IS NOT NULL THEN {least}(c.forked_at, p.forked_at) END
FROM conversations p
WHERE c.space_key = :space_key AND c.parent_key = :conversation_key
  AND p.space_key = :space_key AND p.conversation_key = :conversation_key;
