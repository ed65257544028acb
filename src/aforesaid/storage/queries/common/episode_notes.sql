-- name: episode
SELECT e.id, e.title, e.summary, e.type, e.significance,
       {episode_time},
       e.conversation_key, e.merged_into, e.created_at
FROM episodes e WHERE e.space_key = :space_key AND e.episode_key = :episode_key;

-- name: messages
SELECT m.id FROM episodes e JOIN messages m ON m.space_key = e.space_key AND m.conversation_key = e.conversation_key
  AND m.seq BETWEEN e.first_seq AND e.last_seq
WHERE e.space_key = :space_key AND e.episode_key = :episode_key ORDER BY m.seq LIMIT :limit;
