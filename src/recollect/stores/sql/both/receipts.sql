-- name: get
SELECT r.id, s.id AS space, r.conversation, r.at, r.body FROM receipts r JOIN spaces s USING (space_key)
WHERE r.id = :id;

-- name: of_space
SELECT r.id, :space AS space, r.conversation, r.at, r.body FROM receipts r
WHERE r.space_key = (SELECT space_key FROM spaces WHERE id = :space)
ORDER BY r.at DESC, r.receipt_key DESC LIMIT :limit;

-- name: of_conversation
SELECT r.id, :space AS space, r.conversation, r.at, r.body FROM receipts r
WHERE r.space_key = (SELECT space_key FROM spaces WHERE id = :space) AND r.conversation = :conversation
ORDER BY r.at DESC, r.receipt_key DESC LIMIT :limit;

-- name: prune
DELETE FROM receipts WHERE space_key IN (SELECT space_key FROM spaces) AND at < :before;
