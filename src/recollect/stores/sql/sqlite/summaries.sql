-- name: save
INSERT INTO summaries (space_key, conversation_key, id, kind, first_seq, last_seq, message_count, text, topics,
                       importance, base_id, status, method, model, tokens, milliseconds, error, created_at)
VALUES (:space_key, :conversation_key, :id, :kind, :first_seq, :last_seq, :message_count, :text, :topics,
        :importance, :base_id, :status, :method, :model, :tokens, :milliseconds, :error, :created_at)
ON CONFLICT (space_key, id) DO UPDATE SET
  kind = excluded.kind, first_seq = excluded.first_seq, last_seq = excluded.last_seq,
  message_count = excluded.message_count, text = excluded.text, topics = excluded.topics,
  importance = excluded.importance, base_id = excluded.base_id, status = excluded.status, method = excluded.method,
  model = excluded.model, tokens = excluded.tokens, milliseconds = excluded.milliseconds, error = excluded.error,
  created_at = excluded.created_at
WHERE conversation_key = excluded.conversation_key;

-- name: in_the_making
SELECT id FROM summaries WHERE conversation_key = :conversation_key AND kind = 'rolling' AND status = 'processing';

-- name: get
SELECT id, :space AS space, :conversation AS conversation, kind, first_seq, last_seq, message_count, text, topics,
       importance, base_id, status, method, model, tokens, milliseconds, error, created_at
FROM summaries WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key;

-- name: list
SELECT id, :space AS space, :conversation AS conversation, kind, first_seq, last_seq, message_count, text, topics,
       importance, base_id, status, method, model, tokens, milliseconds, error, created_at
FROM summaries
WHERE conversation_key = :conversation_key
  AND (:kind IS NULL OR kind = :kind) AND (:status IS NULL OR status = :status)
ORDER BY last_seq DESC, created_at DESC, summary_key DESC LIMIT :limit;

-- name: latest
SELECT id, :space AS space, :conversation AS conversation, kind, first_seq, last_seq, message_count, text, topics,
       importance, base_id, status, method, model, tokens, milliseconds, error, created_at
FROM summaries WHERE conversation_key = :conversation_key AND kind = :kind AND status = 'completed'
ORDER BY last_seq DESC, created_at DESC, summary_key DESC LIMIT 1;

-- name: delete
DELETE FROM summaries WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key;
