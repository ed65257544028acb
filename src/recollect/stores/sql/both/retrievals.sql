-- name: add
INSERT INTO retrievals (space_key, at, id, conversation, kind, hits, sources, content, milliseconds,
                        top_scores, flags, degraded, tokens, budget, prefix_tokens)
VALUES (:space_key, :at, :id, :conversation, :kind, :hits, :sources, :content, :milliseconds,
        :top_scores, :flags, :degraded, :tokens, :budget, :prefix_tokens)
ON CONFLICT (space_key, at, id) DO NOTHING RETURNING id;

-- name: of_space
SELECT r.id, :space AS space, r.conversation, r.at, r.kind, r.hits, r.sources, r.content, r.milliseconds,
       r.top_scores, r.flags, r.degraded, r.tokens, r.budget, r.prefix_tokens
FROM retrievals r
WHERE r.space_key = (SELECT space_key FROM spaces WHERE id = :space) AND r.at >= :since AND r.at < :until
ORDER BY r.at DESC, r.id DESC LIMIT :limit;

-- name: prune
DELETE FROM retrievals WHERE at < :before;
