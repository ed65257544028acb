-- fragment: message_columns
m.id, m.seq, m.role, m.text, m.parts, m.name, m.tool_calls, m.tool_call_id, m.model, m.importance, m.tokens, m.metadata,
       m.created_at, m.utc_offset, m.expires_at, m.first_chunk, m.last_chunk, m.message_key, m.conversation_key,
       m.checksum, m.raw

-- name: insert
INSERT INTO messages (space_key, conversation_key, seq, id, role, text, parts, name, tool_calls, tool_call_id,
                      model, importance, tokens, metadata, created_at, utc_offset, expires_at, first_chunk,
                      last_chunk, checksum, salience, raw) {values}
RETURNING message_key;

-- name: by_id
SELECT c.id AS conversation, {message_columns} FROM messages m JOIN conversations c USING (space_key, conversation_key)
WHERE m.space_key = :space_key AND m.id = :id AND {live m} AND {live c};

-- name: stored
SELECT c.id AS conversation, {message_columns} FROM messages m JOIN conversations c USING (space_key, conversation_key)
WHERE m.space_key = :space_key AND m.id = :id;

-- name: by_key
SELECT message_key, space_key, conversation_key, first_chunk, last_chunk, text, created_at, utc_offset FROM messages
WHERE message_key = :message_key;

-- name: recent
SELECT :conversation AS conversation, {message_columns},
       (SELECT c.expires_at FROM conversations c WHERE c.space_key = :space_key
          AND c.conversation_key = :conversation_key) AS conversation_expires_at
FROM messages m WHERE {in_conversation} AND m.seq <= :last_seq AND {live m}
ORDER BY m.seq DESC LIMIT :limit OFFSET :skip;

-- name: before
SELECT :conversation AS conversation, {message_columns} FROM messages m WHERE {in_conversation} AND m.seq < :before
  AND m.seq <= :last_seq AND {live m}
ORDER BY m.seq DESC LIMIT :limit;

-- name: after
SELECT :conversation AS conversation, {message_columns} FROM messages m WHERE {in_conversation} AND m.seq > :after
  AND m.seq <= :last_seq AND {live m}
ORDER BY m.seq LIMIT :limit;

-- name: of_space
SELECT c.id AS conversation, {message_columns} FROM messages m
{join_in_order} conversations c USING (space_key, conversation_key)
WHERE m.space_key = :space_key AND m.message_key > :after AND {live m} AND {live c} ORDER BY m.message_key LIMIT :limit;

-- name: in_range
SELECT message_key, seq FROM messages WHERE {in_conversation} AND seq BETWEEN :first_seq AND :last_seq;

-- name: utterances
SELECT :conversation AS conversation, {message_columns} FROM messages m
WHERE {in_conversation} AND m.seq > :after AND m.seq <= :last_seq AND m.role <> 'system' AND m.text <> ''
  AND {live m}
ORDER BY m.seq LIMIT :limit;

-- name: model_before
SELECT model FROM messages WHERE {in_conversation} AND seq < :seq AND seq <= :last_seq AND model IS NOT NULL
ORDER BY seq DESC LIMIT :limit;

-- name: models
SELECT model FROM messages WHERE {in_conversation} AND seq <= :last AND seq <= :last_seq AND model IS NOT NULL
GROUP BY model ORDER BY max(seq);

-- name: by_chunk
SELECT {message_columns}, (SELECT c.id FROM conversations c WHERE c.space_key = m.space_key
                           AND c.conversation_key = m.conversation_key) AS conversation, x.chunk_key, x.part, x.kind, x.language, x.start, x.stop, x.tokens AS chunk_tokens
FROM chunks x {join_in_order} messages m ON m.space_key = x.space_key AND m.message_key = x.message_key
WHERE x.space_key = :space_key AND x.chunk_key {among keys};

-- name: texts
SELECT message_key, text FROM messages WHERE {unindexed space_key} = :space_key AND message_key {among keys};

-- name: seq_taken
SELECT id FROM messages WHERE {in_conversation} AND seq = :seq;

-- name: ranges
SELECT message_key, first_chunk, last_chunk FROM messages
WHERE {unindexed space_key} = :space_key AND conversation_key = :conversation_key;

-- name: delete
DELETE FROM messages WHERE {in_conversation};

-- name: weigh
UPDATE messages SET importance = :importance, checksum = :checksum WHERE space_key = :space_key AND message_key = :message_key;

-- name: annotate
UPDATE messages SET metadata = :metadata, raw = :raw, checksum = :checksum
WHERE space_key = :space_key AND message_key = :message_key;

-- name: rechunk
UPDATE messages SET first_chunk = :first_chunk, last_chunk = :last_chunk
WHERE space_key = :space_key AND message_key = :message_key;

-- name: seal
UPDATE messages SET checksum = :checksum, salience = :salience WHERE message_key = :message_key;
