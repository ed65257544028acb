-- name: erase_from
DELETE FROM profiles WHERE space_key = :space_key
  AND conversation = (SELECT id FROM conversations WHERE space_key = :space_key AND conversation_key = :conversation_key);
