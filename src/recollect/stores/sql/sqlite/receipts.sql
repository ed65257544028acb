-- name: add
INSERT INTO receipts (space_key, id, conversation, at, body)
SELECT :space_key, :id, :conversation, :at, :body
WHERE (NOT instr(:body, '"kind":"profile"')  -- consent may have been revoked since the context was made
       OR EXISTS (SELECT 1 FROM consents WHERE space_key = :space_key AND granted AND at <= :at))
  AND NOT EXISTS (SELECT 1 FROM erasures WHERE space_key = :space_key AND until >= :at)  -- it may quote what is gone
ON CONFLICT (id) DO NOTHING;

-- name: delete
DELETE FROM receipts WHERE space_key = :space_key
  AND conversation = (SELECT id FROM conversations WHERE conversation_key = :conversation_key);

-- name: erase_profile
DELETE FROM receipts WHERE space_key = :space_key AND instr(body, '"kind":"profile"');
