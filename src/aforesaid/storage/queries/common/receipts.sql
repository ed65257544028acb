-- name: get
SELECT r.id, s.id AS space, r.conversation, r.at, r.body FROM receipts r JOIN spaces s USING (space_key)
WHERE r.id = :id AND {live_receipt r};

-- name: of_space
SELECT r.id, :space AS space, r.conversation, r.at, r.body FROM receipts r WHERE r.space_key = {named_space}
  AND {live_receipt r}
ORDER BY r.at DESC, r.receipt_key DESC LIMIT :limit;

-- name: of_conversation
SELECT r.id, :space AS space, r.conversation, r.at, r.body FROM receipts r
WHERE r.space_key = {named_space} AND r.conversation = :conversation AND {live_receipt r}
ORDER BY r.at DESC, r.receipt_key DESC LIMIT :limit;

-- name: prune
DELETE FROM receipts WHERE space_key IN (SELECT space_key FROM spaces) AND at < :before;

-- name: add
INSERT INTO receipts (space_key, id, conversation, at, body)
SELECT :space_key, :id, :conversation, :at, :body
WHERE (replace(:body, '"kind":"profile"', '') = :body  -- consent may have been revoked since the context was made
       OR EXISTS (SELECT 1 FROM consents WHERE space_key = :space_key AND granted = 1 AND at <= :at))
  AND coalesce((SELECT max(until) FROM erasures
  WHERE space_key = :space_key) < :at, true)  -- it may quote erased text
ON CONFLICT DO NOTHING;

-- name: delete
DELETE FROM receipts WHERE space_key = :space_key AND conversation = (
  SELECT id FROM conversations WHERE {in_conversation});

-- name: erase_profile
DELETE FROM receipts WHERE space_key = :space_key AND replace(body, '"kind":"profile"', '') <> body;
