-- fragment: summary_columns
id, :space AS space, :conversation AS conversation, kind, first_seq, last_seq, message_count, text, topics,
       importance, base_id, status, method, model, tokens, milliseconds, error, created_at, replaced_by

-- fragment: standing
(argument.replaced_by IS NULL OR EXISTS (SELECT 1 FROM summaries r WHERE r.space_key = argument.space_key
                                  AND r.id = argument.replaced_by AND r.last_seq > :last_seq))

-- name: give_up
UPDATE summaries SET status = 'failed', error = :error
WHERE space_key = :space_key AND id = :id AND status = 'processing';

-- name: end
UPDATE summaries SET status = :status, text = :text, topics = :topics, method = :method, model = :model,
                     tokens = :tokens, milliseconds = :milliseconds, error = :error
WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key AND status = 'processing';

-- name: replace
UPDATE summaries SET replaced_by = :id
WHERE space_key = :space_key AND id = :old AND conversation_key = :conversation_key AND status = 'completed'
  AND replaced_by IS NULL;

-- name: stand_again
UPDATE summaries SET replaced_by = NULL WHERE space_key = :space_key AND replaced_by = :id;

-- name: key
SELECT summary_key FROM summaries WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key;

-- name: by_key
SELECT conversation_key, id FROM summaries WHERE space_key = :space_key AND summary_key = :summary_key;

-- name: get
SELECT {summary_columns} FROM summaries
WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key AND last_seq <= :last_seq
  AND {live_range summaries};

-- name: delete
DELETE FROM summaries WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key;

-- name: save
INSERT INTO summaries (space_key, conversation_key, id, kind, first_seq, last_seq, message_count, text, topics,
                       importance, base_id, status, method, model, tokens, milliseconds, error, created_at,
                       replaced_by) {values}
ON CONFLICT (space_key, id) DO UPDATE SET
  {excluded kind, first_seq, last_seq, message_count, text, topics, importance, base_id, status, method, model,
   tokens, milliseconds, error, created_at, replaced_by}
WHERE summaries.conversation_key = excluded.conversation_key;

-- name: in_the_making
SELECT id FROM summaries WHERE {in_conversation} AND kind = 'rolling' AND status = 'processing';

-- name: renew
UPDATE summaries SET milliseconds = :milliseconds
WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key AND status = 'processing';

-- name: in_progress
SELECT id, created_at + CAST(coalesce(milliseconds, 0) * 1000 AS bigint) AS seen FROM summaries
WHERE {in_conversation} AND kind = :kind AND status = 'processing' AND first_seq <= :last_seq AND last_seq >= :first_seq
  AND id <> :id ORDER BY created_at DESC;

-- name: replace_same
UPDATE summaries SET replaced_by = :id WHERE {in_conversation} AND kind = 'segment' AND status = 'completed'
  AND replaced_by IS NULL AND first_seq = :first_seq AND last_seq = :last_seq AND id <> :id;

-- name: start_over
DELETE FROM progress WHERE {in_conversation} AND step = 'segment';

-- name: ranges
SELECT first_seq, last_seq FROM summaries WHERE {in_conversation} AND kind = 'segment' AND status = 'completed'
  AND last_seq > :after AND last_seq <= :last_seq AND {standing summaries} ORDER BY first_seq, last_seq;

-- name: counts
SELECT status, count(*) AS count, avg(milliseconds) AS mean, max(milliseconds) AS longest FROM summaries
WHERE {in_conversation} AND kind = :kind GROUP BY status;

-- name: keys
SELECT summary_key FROM summaries WHERE {in_conversation};

-- name: list
SELECT {summary_columns} FROM summaries WHERE {in_conversation} AND last_seq <= :last_seq AND (:replaced <> 0 OR {standing summaries})
  AND (CAST(:kind AS text) IS NULL OR kind = :kind) AND (CAST(:status AS text) IS NULL OR status = :status)
  AND {live_range summaries}
ORDER BY last_seq DESC, created_at DESC, summary_key DESC LIMIT {limit};

-- name: before
SELECT {summary_columns} FROM summaries WHERE {in_conversation} AND last_seq <= :last_seq AND {standing summaries} AND kind = :kind
  AND status = 'completed' AND {live_range summaries}
ORDER BY last_seq DESC, created_at DESC, summary_key DESC
LIMIT :most + (SELECT count(*) FROM summaries x WHERE x.space_key = :space_key
                  AND x.conversation_key = :conversation_key AND x.last_seq <= :last_seq AND {standing x}
                  AND x.kind = :kind AND x.status = 'completed' AND x.last_seq >= :seq);

-- name: latest
SELECT {summary_columns} FROM summaries WHERE {in_conversation} AND last_seq <= :last_seq AND kind = :kind AND status = 'completed'
  AND {live_range summaries}
ORDER BY last_seq DESC, created_at DESC, summary_key DESC LIMIT 1;

-- name: ended
SELECT created_at, milliseconds, status = 'completed' AS completed FROM summaries
WHERE created_at >= :since AND created_at < :until AND status <> 'processing'
  AND (CAST(:space AS text) IS NULL OR space_key = {named_space}) ORDER BY created_at DESC LIMIT {limit};
