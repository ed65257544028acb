-- name: of_all
SELECT r.id, s.id AS space, r.conversation, r.at, r.kind, r.hits, r.sources, r.content, r.milliseconds,
       r.top_scores, r.flags, r.degraded, r.tokens, r.budget, r.prefix_tokens
FROM retrievals r JOIN spaces s USING (space_key)
WHERE r.at >= :since AND r.at < :until ORDER BY r.at DESC, r.id DESC LIMIT :limit;

-- name: delete
DELETE FROM retrievals WHERE space_key = :space_key
  AND conversation = (SELECT id FROM conversations WHERE space_key = :space_key AND conversation_key = :conversation_key);
