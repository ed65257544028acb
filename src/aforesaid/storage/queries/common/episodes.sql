-- fragment: episode_time
coalesce((SELECT m.created_at FROM messages m
                 WHERE m.space_key = e.space_key AND m.conversation_key = e.conversation_key
                   AND m.seq BETWEEN e.first_seq AND e.last_seq
                 ORDER BY m.seq DESC LIMIT 1), e.created_at) AS at

-- fragment: episode_columns
e.id, :space AS space, c.id AS conversation, e.type, e.title, e.summary, e.context, e.participants, e.outcome,
       e.valence, e.significance, e.facts, e.first_seq, e.last_seq, e.method, e.model, e.tokens, e.created_at,
       {episode_time}

-- name: key
SELECT episode_key, first_seq, last_seq FROM episodes
WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key;

-- name: unmerge
UPDATE episodes SET merged_into = NULL WHERE space_key = :space_key AND episode_key = :episode_key;

-- name: merged
SELECT episode_key, merged_into FROM episodes WHERE {in_conversation} AND merged_into IS NOT NULL;

-- name: save
INSERT INTO episodes (space_key, conversation_key, id, type, title, summary, context, participants, outcome, valence,
                      significance, facts, first_seq, last_seq, method, model, tokens, created_at) {values}
ON CONFLICT (space_key, id) DO UPDATE SET
  {excluded type, title, summary, context, participants, outcome, valence, significance, facts, first_seq, last_seq,
   method, model, tokens}
WHERE episodes.conversation_key = excluded.conversation_key;

-- name: get
SELECT {episode_columns} FROM episodes e JOIN conversations c USING (space_key, conversation_key)
WHERE e.space_key = :space_key AND e.id = :id AND e.conversation_key = :conversation_key AND e.last_seq <= :last_seq
  AND {live_range e};

-- name: list
SELECT {episode_columns} FROM episodes e JOIN conversations c USING (space_key, conversation_key)
WHERE e.space_key = :space_key AND e.conversation_key = :conversation_key AND e.last_seq <= :last_seq
  AND e.merged_into IS NULL AND (CAST(:type AS text) IS NULL OR e.type = :type) AND e.significance >= :least AND {live_range e}
ORDER BY e.first_seq, e.last_seq, e.episode_key LIMIT {limit};

-- name: within
SELECT {episode_columns} FROM episodes e JOIN conversations c USING (space_key, conversation_key)
WHERE e.space_key = :space_key AND e.merged_into IS NULL AND (CAST(:type AS text) IS NULL OR e.type = :type)
  AND e.significance >= :least AND {live_range e} AND {live c}
ORDER BY at DESC, e.id DESC LIMIT {limit};

-- name: reaching
SELECT {episode_columns} FROM episodes e JOIN conversations c USING (space_key, conversation_key)
WHERE e.space_key = :space_key AND e.conversation_key = :conversation_key AND e.last_seq <= :last_seq
  AND e.merged_into IS NULL AND e.last_seq >= :seq AND {live_range e}
ORDER BY e.last_seq, e.episode_key;

-- name: keys
SELECT episode_key FROM episodes WHERE {in_conversation};

-- name: removed
SELECT first_seq, last_seq FROM removed_episodes WHERE {in_conversation} ORDER BY first_seq, last_seq;

-- name: remove
INSERT INTO removed_episodes (space_key, conversation_key, first_seq, last_seq) {values} ON CONFLICT DO NOTHING;

-- name: withdraw
DELETE FROM episodes WHERE space_key = :space_key AND episode_key = :episode_key RETURNING id, conversation_key;
