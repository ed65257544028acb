-- name: key
SELECT episode_key, first_seq, last_seq FROM episodes
WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key;

-- name: delete
DELETE FROM episodes WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key;
