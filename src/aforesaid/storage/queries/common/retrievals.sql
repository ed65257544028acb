-- fragment: retrieval_columns
r.conversation, r.at, r.kind, r.hits, r.sources, r.content, r.milliseconds,
       r.top_scores, r.flags, r.degraded, r.tokens, r.budget, r.prefix_tokens

-- name: add
INSERT INTO retrievals (space_key, at, id, conversation, kind, hits, sources, content, milliseconds,
                        top_scores, flags, degraded, tokens, budget, prefix_tokens) {values}
ON CONFLICT (space_key, at, id) DO NOTHING RETURNING id;

-- name: of_space
SELECT r.id, :space AS space, {retrieval_columns} FROM retrievals r
WHERE r.space_key = {named_space} AND r.at >= :since AND r.at < :until ORDER BY r.at DESC, r.id DESC LIMIT :limit;

-- name: prune
DELETE FROM retrievals WHERE at < :before;

-- name: of_all
SELECT r.id, s.id AS space, {retrieval_columns} FROM retrievals r {join_in_order} spaces s USING (space_key)
WHERE r.at >= :since AND r.at < :until ORDER BY r.at DESC, r.id DESC LIMIT :limit;

-- name: delete
DELETE FROM retrievals WHERE space_key = :space_key AND conversation = (
  SELECT id FROM conversations WHERE {in_conversation});
