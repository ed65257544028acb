-- fragment: fact_filter
(CAST(:kind AS text) IS NULL OR f.kind = :kind)
  AND (CAST(:category AS text) IS NULL OR f.category = :category)
  AND (CAST(:schema AS text) IS NULL OR f.schema = :schema)
  AND (CAST(:subject_key AS text) IS NULL OR f.subject_key = :subject_key)
  AND (CAST(:conversation AS text) IS NULL OR f.fact_key IN (
    SELECT e.fact_key FROM conversations c
    {join_in_order} messages m ON m.space_key = c.space_key AND m.conversation_key = c.conversation_key
    {join_in_order} evidence e ON e.space_key = m.space_key AND e.message_key = m.message_key
    WHERE c.space_key = :space_key AND c.id = :conversation))
  AND (CAST(:tag AS text) IS NULL OR EXISTS (SELECT 1 FROM {each_text}(f.tags) t WHERE t.value = :tag))

-- fragment: fact_columns
f.fact_key, f.id, :space AS space, f.kind, f.subject, f.attribute, f.value, f.text, f.status, f.confidence,
       f.importance, f.category, f.tags, f.method, f.model, f.tokens, f.valid_from, f.valid_until, f.known_from,
       f.known_until, f.accesses, f.accessed_at, f.created_at, f.updated_at, f.expires_at, f.reason,
       f.withdrawn_from, f.schema

-- fragment: first_said
coalesce((SELECT min(m.created_at) FROM evidence e
          JOIN messages m ON m.space_key = e.space_key AND m.message_key = e.message_key
          WHERE e.space_key = f.space_key AND e.fact_key = f.fact_key), f.created_at)

-- fragment: has_begun
(f.valid_from <= :as_of
 OR (f.valid_from IS NULL AND ({first_said} <= :as_of OR {first_said} >= f.valid_until)))

-- fragment: closings
SELECT c.fact_key, c.by_key, f.id AS fact, b.id AS by, c.at, c.status, c.valid_until FROM {each_number}(:keys) k
{join_in_order} closings c ON c.space_key = :space_key AND c.argument = k.value AND c.undone_at IS NULL
JOIN facts f ON f.space_key = c.space_key AND f.fact_key = c.fact_key
JOIN facts b ON b.space_key = c.space_key AND b.fact_key = c.by_key WHERE {live_fact f} AND {live_fact b}

-- name: save
INSERT INTO facts (space_key, id, kind, subject, attribute, value, text, status, confidence, importance, category,
                   tags, method, model, tokens, valid_from, valid_until, known_from, known_until, accesses,
                   accessed_at, created_at, updated_at, subject_key, attribute_key, value_key, expires_at, reason,
                   withdrawn_from, schema) {values}
ON CONFLICT (space_key, id) DO UPDATE SET
  {excluded kind, status, confidence, importance, category, tags, valid_from, valid_until, known_from, known_until,
   updated_at, expires_at, reason, withdrawn_from}
RETURNING fact_key;

-- name: key
SELECT fact_key FROM facts WHERE space_key = :space_key AND id = :id;

-- name: with_mark
SELECT fact_key FROM fact_marks WHERE space_key = :space_key AND mark = :mark ORDER BY fact_key DESC LIMIT :limit;

-- name: pending
SELECT fact_key FROM facts WHERE space_key = :space_key AND status = 'pending' AND {live_fact facts}
ORDER BY fact_key DESC LIMIT :limit;

-- name: message
SELECT message_key, role, text FROM messages WHERE space_key = :space_key AND id = :message_id;

-- name: mark
INSERT INTO fact_marks (space_key, mark, fact_key) {values} ON CONFLICT DO NOTHING;

-- name: unmark
DELETE FROM fact_marks WHERE space_key = :space_key AND fact_key = :fact_key;

-- name: of_keys
SELECT {fact_columns} FROM {each_number}(:keys) k
{join_in_order} facts f ON f.space_key = :space_key AND f.fact_key = k.value WHERE {live_fact f} ORDER BY k.key;

-- name: of_ids
SELECT {fact_columns} FROM {each_text}(:ids) k {join_in_order} facts f ON f.space_key = :space_key AND f.id = k.value
WHERE {live_fact f} ORDER BY k.key;

-- name: evidence
SELECT e.fact_key, m.id, c.id AS conversation, e.quote, coalesce(m.name, m.role) AS speaker, m.created_at, e.supports
FROM {each_number}(:keys) k {join_in_order} evidence e ON e.space_key = :space_key AND e.fact_key = k.value
  AND e.message_key >= coalesce((SELECT x.message_key FROM evidence x
                                 WHERE x.space_key = :space_key AND x.fact_key = k.value
                                 ORDER BY x.message_key DESC LIMIT 1 OFFSET :limit - 1), 0)
{join_in_order} messages m ON m.space_key = e.space_key AND m.message_key = e.message_key
JOIN conversations c ON c.space_key = m.space_key AND c.conversation_key = m.conversation_key ORDER BY e.message_key;

-- name: in_slot
SELECT fact_key FROM facts WHERE space_key = :space_key AND {md5}(subject_key) = {md5}(:subject_key)
  AND {md5}(attribute_key) = {md5}(:attribute_key) AND status = :status
ORDER BY fact_key DESC LIMIT :limit;

-- name: with_value
SELECT fact_key FROM facts WHERE space_key = :space_key AND {md5}(subject_key) = {md5}(:subject_key)
  AND {md5}(attribute_key) = {md5}(:attribute_key) AND value_key = :value_key
ORDER BY fact_key DESC LIMIT :limit;

-- name: proven
SELECT e.fact_key, f.id FROM messages m
{join_in_order} evidence e ON e.space_key = m.space_key AND e.message_key = m.message_key
{join_in_order} facts f ON f.space_key = e.space_key AND f.fact_key = e.fact_key
WHERE m.space_key = :space_key AND m.id = :message_id;

-- name: list
SELECT f.fact_key FROM facts f
WHERE f.space_key = :space_key AND f.status = :status AND f.fact_key > :after AND {fact_filter} AND {live_fact f}
  AND (CAST(:not_over AS bigint) IS NULL OR f.valid_until IS NULL OR f.valid_until > :not_over)
  AND (CAST(:as_of AS bigint) IS NULL OR ({has_begun} AND (f.valid_until IS NULL OR f.valid_until > :as_of)))
  AND (CAST(:known_at AS bigint) IS NULL OR (f.known_from <= :known_at
                                             AND (f.known_until IS NULL OR f.known_until > :known_at)))
ORDER BY f.fact_key LIMIT :limit;

-- name: held
SELECT f.fact_key FROM facts f LEFT JOIN closings c ON c.space_key = f.space_key AND c.closing_key = (
  SELECT k.closing_key FROM closings k
  WHERE k.space_key = f.space_key AND k.fact_key = f.fact_key AND (k.undone_at IS NULL OR k.undone_at > :known_at)
  ORDER BY k.at LIMIT 1)
WHERE f.space_key = :space_key AND f.status = :status AND f.fact_key > :after AND {fact_filter} AND {live_fact f}
  AND f.known_from <= :known_at AND (f.known_until IS NULL OR f.known_until > :known_at)
  AND {has_begun}
  AND (c.closing_key IS NULL OR c.at > :known_at OR c.corrected = 0)
  AND coalesce(CASE WHEN c.closing_key IS NULL THEN f.valid_until
                    WHEN c.at > :known_at THEN c.valid_until
                    ELSE c.closed_until END, :as_of + 1) > :as_of
ORDER BY f.fact_key LIMIT :limit;

-- name: contradicting
SELECT r.source_key, r.target_key FROM relations r
{join_in_order} facts s ON s.space_key = r.space_key AND s.fact_key = r.source_key
{join_in_order} facts t ON t.space_key = r.space_key AND t.fact_key = r.target_key
WHERE r.space_key = :space_key AND r.kind = 'contradicts' AND s.status IN ('pending', 'active')
  AND t.status IN ('pending', 'active') AND {live_fact s} AND {live_fact t}
ORDER BY r.source_key DESC LIMIT :limit;

-- name: touch
UPDATE facts SET accesses = accesses + 1, accessed_at = {greatest}(coalesce(accessed_at, :at), :at)
WHERE space_key = :space_key AND id IN (SELECT value FROM {each_text}(:ids));

-- name: prove
INSERT INTO evidence (space_key, fact_key, message_key, quote, text, value, supports) {values} ON CONFLICT DO NOTHING;

-- name: inherit
INSERT INTO evidence (space_key, fact_key, message_key, quote, text, value, supports)
SELECT e.space_key, :fact_key, e.message_key, e.quote, e.text, e.value, e.supports FROM evidence e
WHERE e.space_key = :space_key AND e.fact_key = :from_key ON CONFLICT DO NOTHING;

-- name: unproven
SELECT f.id FROM {each_number}(:keys) k {join_in_order} facts f ON f.space_key = :space_key AND f.fact_key = k.value
WHERE f.method <> 'manual'
  AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.space_key = f.space_key AND e.fact_key = f.fact_key);

-- name: close
INSERT INTO closings (fact_key, space_key, by_key, at, status, valid_until, closed_until, corrected)
SELECT :fact_key, :space_key, :by_key, :at, :status, :valid_until, valid_until,
       CASE WHEN known_until IS NULL THEN 0 ELSE 1 END
FROM facts WHERE space_key = :space_key AND fact_key = :fact_key;

-- name: reopen
UPDATE closings SET undone_at = :at WHERE space_key = :space_key AND fact_key = :fact_key AND undone_at IS NULL;

-- name: reopened
SELECT c.fact_key, f.id FROM {each_number}(:keys) k
{join_in_order} facts b ON b.space_key = :space_key AND b.fact_key = k.value AND b.status = 'rejected'
{join_in_order} closings c ON c.space_key = b.space_key AND c.by_key = b.fact_key AND c.undone_at = b.known_until
{join_in_order} facts f ON f.space_key = c.space_key AND f.fact_key = c.fact_key WHERE {live_fact f};

-- name: closings
{closings fact_key};

-- name: closings_by
{closings by_key};
