-- name: save
INSERT INTO facts (space_key, id, kind, subject, attribute, value, text, status, confidence, importance, category, tags,
                   method, model, tokens, valid_from, valid_until, known_from, known_until, accesses, accessed_at,
                   created_at, updated_at, subject_key, attribute_key, value_key)
VALUES (:space_key, :id, :kind, :subject, :attribute, :value, :text, :status, :confidence, :importance, :category, :tags,
        :method, :model, :tokens, :valid_from, :valid_until, :known_from, :known_until, :accesses, :accessed_at,
        :created_at, :updated_at, :subject_key, :attribute_key, :value_key)
ON CONFLICT (space_key, id) DO UPDATE SET
  kind = excluded.kind, status = excluded.status, confidence = excluded.confidence, importance = excluded.importance,
  category = excluded.category, tags = excluded.tags, valid_from = excluded.valid_from,
  valid_until = excluded.valid_until, known_from = excluded.known_from, known_until = excluded.known_until,
  updated_at = excluded.updated_at
RETURNING fact_key;

-- name: key
SELECT fact_key FROM facts WHERE space_key = :space_key AND id = :id;

-- name: with_mark
SELECT fact_key FROM fact_marks WHERE space_key = :space_key AND mark = :mark ORDER BY fact_key DESC LIMIT :limit;

-- name: pending
SELECT fact_key FROM facts WHERE space_key = :space_key AND status = 'pending' ORDER BY fact_key DESC LIMIT :limit;

-- name: message
SELECT message_key, role, text FROM messages WHERE space_key = :space_key AND id = :message_id;
