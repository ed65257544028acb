-- name: message
SELECT message_key, conversation_key, seq, id, role, text, tokens, first_chunk, last_chunk
FROM messages WHERE space_key = :space_key AND id = :id;

-- name: conversations
SELECT conversation_key, id FROM conversations WHERE space_key = :space_key;

-- name: conversation
SELECT conversation_key, id FROM conversations WHERE space_key = :space_key AND id = :id;

-- name: pins
SELECT pin_key, conversation_key, id, content, source_message_id, created_at FROM pins WHERE space_key = :space_key;

-- name: profile_from
DELETE FROM profiles WHERE space_key = :space_key AND message_id = :id;

-- name: accesses
DELETE FROM accesses WHERE space_key = :space_key AND message_key = :message_key;

-- name: receipts
SELECT receipt_key, id, conversation, at, body FROM receipts WHERE space_key = :space_key;

-- name: retrievals
SELECT count(*) FROM retrievals WHERE space_key = :space_key;

-- name: titles
SELECT id, coalesce(title, '') || ' ' || coalesce(outcome, '') || ' ' || coalesce(metadata, '') FROM conversations
WHERE space_key = :space_key;

-- name: profile
DELETE FROM profiles WHERE space_key = :space_key;

-- name: fact
SELECT fact_key, text, (SELECT count(*) FROM evidence e WHERE e.space_key = :space_key AND e.fact_key = f.fact_key)
FROM facts f WHERE f.space_key = :space_key AND f.id = :id;
