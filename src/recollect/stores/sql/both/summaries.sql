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
SELECT summary_key FROM summaries
WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key;

-- name: by_key
SELECT conversation_key, id FROM summaries WHERE space_key = :space_key AND summary_key = :summary_key;

-- name: get
SELECT id, :space AS space, :conversation AS conversation, kind, first_seq, last_seq, message_count, text, topics,
       importance, base_id, status, method, model, tokens, milliseconds, error, created_at, replaced_by
FROM summaries WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key;

-- name: delete
DELETE FROM summaries WHERE space_key = :space_key AND id = :id AND conversation_key = :conversation_key;
