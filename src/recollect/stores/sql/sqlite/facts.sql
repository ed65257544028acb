-- name: mark
INSERT OR IGNORE INTO fact_marks (space_key, mark, fact_key) VALUES (:space_key, :mark, :fact_key);

-- name: unmark
DELETE FROM fact_marks WHERE fact_key = :fact_key;

-- name: of_keys
SELECT f.fact_key, f.id, :space AS space, f.kind, f.subject, f.attribute, f.value, f.text, f.status, f.confidence,
       f.importance, f.category, f.tags, f.method, f.model, f.tokens, f.valid_from, f.valid_until, f.known_from,
       f.known_until, f.accesses, f.accessed_at, f.created_at, f.updated_at
FROM json_each(:keys) k CROSS JOIN facts f ON f.fact_key = k.value ORDER BY k.key;

-- name: evidence
SELECT e.fact_key, m.id, c.id AS conversation, e.quote, coalesce(m.name, m.role) AS speaker, m.created_at
FROM json_each(:keys) k
CROSS JOIN evidence e ON e.space_key = :space_key AND e.fact_key = k.value
  AND e.message_key >= coalesce((SELECT x.message_key FROM evidence x
                                 WHERE x.space_key = :space_key AND x.fact_key = k.value
                                 ORDER BY x.message_key DESC LIMIT 1 OFFSET :limit - 1), 0)
CROSS JOIN messages m ON m.message_key = e.message_key JOIN conversations c USING (conversation_key)
ORDER BY e.message_key;

-- name: in_slot
SELECT fact_key FROM facts
WHERE space_key = :space_key AND subject_key = :subject_key AND attribute_key = :attribute_key AND status = :status
ORDER BY fact_key DESC LIMIT :limit;

-- name: with_value
SELECT fact_key FROM facts
WHERE space_key = :space_key AND subject_key = :subject_key AND attribute_key = :attribute_key
  AND value_key = :value_key
ORDER BY fact_key DESC LIMIT :limit;

-- name: proven
SELECT e.fact_key, f.id
FROM messages m CROSS JOIN evidence e ON e.space_key = m.space_key AND e.message_key = m.message_key
CROSS JOIN facts f ON f.fact_key = e.fact_key
WHERE m.space_key = :space_key AND m.id = :message_id;

-- name: user
SELECT m.name FROM evidence e CROSS JOIN facts f ON f.fact_key = e.fact_key
CROSS JOIN messages m ON m.message_key = e.message_key
WHERE e.space_key = :space_key AND (f.subject_key = 'user' OR f.attribute_key = 'relation to user')
  AND m.role = 'user' AND lower(m.name) NOT IN ('user', 'project', 'assistant', 'system', 'tool')
ORDER BY e.message_key LIMIT 1;

-- name: list
SELECT f.fact_key FROM facts f
WHERE f.space_key = :space_key AND f.status = :status AND f.fact_key > :after
  AND (:kind IS NULL OR f.kind = :kind) AND (:category IS NULL OR f.category = :category)
  AND (:subject_key IS NULL OR f.subject_key = :subject_key)
  AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(f.tags) t WHERE t.value = :tag))
  AND (:not_over IS NULL OR f.valid_until IS NULL OR f.valid_until > :not_over)
  AND (:as_of IS NULL OR ((f.valid_from IS NULL OR f.valid_from <= :as_of)
                          AND (f.valid_until IS NULL OR f.valid_until > :as_of)))
  AND (:known_at IS NULL OR (f.known_from <= :known_at AND (f.known_until IS NULL OR f.known_until > :known_at)))
ORDER BY f.fact_key LIMIT :limit;

-- name: held
SELECT f.fact_key
FROM facts f LEFT JOIN closings c ON c.closing_key = (
  SELECT k.closing_key FROM closings k
  WHERE k.fact_key = f.fact_key AND (k.undone_at IS NULL OR k.undone_at > :known_at) ORDER BY k.at LIMIT 1)
WHERE f.space_key = :space_key AND f.status = :status AND f.fact_key > :after
  AND (:kind IS NULL OR f.kind = :kind) AND (:category IS NULL OR f.category = :category)
  AND (:subject_key IS NULL OR f.subject_key = :subject_key)
  AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(f.tags) t WHERE t.value = :tag))
  AND f.known_from <= :known_at AND (f.known_until IS NULL OR f.known_until > :known_at)
  AND (f.valid_from IS NULL OR f.valid_from <= :as_of)
  AND (c.closing_key IS NULL OR c.at > :known_at OR NOT c.corrected)
  AND coalesce(CASE WHEN c.closing_key IS NULL THEN f.valid_until
                    WHEN c.at > :known_at THEN c.valid_until
                    ELSE c.closed_until END, :as_of + 1) > :as_of
ORDER BY f.fact_key LIMIT :limit;

-- name: contradicting
SELECT r.source_key, r.target_key
FROM relations r CROSS JOIN facts s ON s.fact_key = r.source_key CROSS JOIN facts t ON t.fact_key = r.target_key
WHERE r.space_key = :space_key AND r.kind = 'contradicts'
  AND s.status IN ('pending', 'active') AND t.status IN ('pending', 'active')
ORDER BY r.source_key DESC LIMIT :limit;

-- name: touch
UPDATE facts SET accesses = accesses + 1, accessed_at = max(coalesce(accessed_at, :at), :at)
WHERE space_key = :space_key AND id IN (SELECT value FROM json_each(:ids));

-- name: prove
INSERT OR IGNORE INTO evidence (space_key, fact_key, message_key, quote, text, value)
VALUES (:space_key, :fact_key, :message_key, :quote, :text, :value);

-- name: unproven
SELECT f.id FROM json_each(:keys) k CROSS JOIN facts f ON f.fact_key = k.value
WHERE f.method <> 'manual'
  AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.space_key = f.space_key AND e.fact_key = f.fact_key);

-- name: close
INSERT INTO closings (fact_key, space_key, by_key, at, status, valid_until, closed_until, corrected)
SELECT :fact_key, :space_key, :by_key, :at, :status, :valid_until, valid_until, known_until IS NOT NULL
FROM facts WHERE fact_key = :fact_key;

-- name: reopen
UPDATE closings SET undone_at = :at WHERE fact_key = :fact_key AND undone_at IS NULL;

-- name: closings
SELECT c.fact_key, c.by_key, f.id, b.id, c.at, c.status, c.valid_until
FROM json_each(:keys) k
CROSS JOIN closings c ON c.fact_key = k.value AND c.undone_at IS NULL
JOIN facts f ON f.fact_key = c.fact_key JOIN facts b ON b.fact_key = c.by_key;

-- name: closings_by
SELECT c.fact_key, c.by_key, f.id, b.id, c.at, c.status, c.valid_until
FROM json_each(:keys) k
CROSS JOIN closings c ON c.space_key = :space_key AND c.by_key = k.value AND c.undone_at IS NULL
JOIN facts f ON f.fact_key = c.fact_key JOIN facts b ON b.fact_key = c.by_key;
