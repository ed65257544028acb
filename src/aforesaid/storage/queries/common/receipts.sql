-- name: get
SELECT r.id, s.id AS space, r.conversation, r.at, r.body, r.messages, r.items FROM receipts r JOIN spaces s USING (space_key)
WHERE r.id = :id AND {live_receipt r};

-- name: of_space
SELECT r.id, :space AS space, r.conversation, r.at, r.body, r.messages, r.items FROM receipts r WHERE r.space_key = {named_space}
  AND {live_receipt r}
ORDER BY r.at DESC, r.receipt_key DESC LIMIT :limit;

-- name: of_conversation
SELECT r.id, :space AS space, r.conversation, r.at, r.body, r.messages, r.items FROM receipts r
WHERE r.space_key = {named_space} AND r.conversation = :conversation AND {live_receipt r}
ORDER BY r.at DESC, r.receipt_key DESC LIMIT :limit;

-- name: prune
DELETE FROM receipts WHERE space_key IN (SELECT space_key FROM spaces) AND at < :before;

-- name: prune_oldest
DELETE FROM receipts WHERE space_key IN (SELECT space_key FROM spaces) AND receipt_key IN (
  SELECT x.receipt_key FROM (
    SELECT r.receipt_key, sum(length(r.body) + coalesce(length(r.messages), 0) + coalesce(length(r.items), 0))
                            OVER (PARTITION BY r.space_key ORDER BY r.at DESC, r.receipt_key DESC) AS size
    FROM receipts r) x
  WHERE x.size > :most);

-- name: add
INSERT INTO receipts (space_key, id, conversation, at, body, messages, items)
SELECT :space_key, :id, :conversation, :at, :body, :messages, :items
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

-- name: message_keys
SELECT m.message_key, m.id FROM {each_text}(:ids) i
{join_in_order} messages m ON m.space_key = :space_key AND m.id = i.value;

-- name: message_ids
SELECT message_key, id FROM messages WHERE {unindexed space_key} = :space_key AND message_key {among keys};
