-- name: add
INSERT INTO receipts (space_key, id, conversation, at, body)
SELECT :space_key, :id, :conversation, :at, :body
WHERE (strpos(:body, '"kind":"profile"') = 0  -- consent may have been revoked since the context was made
       OR EXISTS (SELECT 1 FROM consents WHERE space_key = :space_key AND granted = 1 AND at <= :at))
  AND coalesce((SELECT max(until) FROM erasures WHERE space_key = :space_key) < :at, true)  -- it may quote what is gone
ON CONFLICT (space_key, id) DO NOTHING;

-- name: delete
DELETE FROM receipts WHERE space_key = :space_key
  AND conversation = (SELECT id FROM conversations WHERE space_key = :space_key AND conversation_key = :conversation_key);

-- name: erase_profile
DELETE FROM receipts WHERE space_key = :space_key AND strpos(body, '"kind":"profile"') > 0;
