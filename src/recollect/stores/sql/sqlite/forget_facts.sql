-- name: of_messages
SELECT DISTINCT e.fact_key FROM json_each(:messages) k
CROSS JOIN evidence e ON e.space_key = :space_key AND e.message_key = k.value;

-- name: unprove
DELETE FROM evidence WHERE space_key = :space_key AND message_key IN (SELECT value FROM json_each(:messages));

-- name: unsaid
SELECT k.value FROM json_each(:facts) k
WHERE NOT EXISTS (SELECT 1 FROM evidence e WHERE e.space_key = :space_key AND e.fact_key = k.value);

-- name: adopt
DELETE FROM consolidation_steps
WHERE record = 'fact' AND into_key IN (SELECT value FROM json_each(:facts))
  AND NOT EXISTS (
    SELECT 1 FROM evidence e
    WHERE e.space_key = :space_key AND e.fact_key = consolidation_steps.into_key
      AND NOT EXISTS (SELECT 1 FROM consolidation_steps s, json_each(s.copied) c
                      WHERE s.record = 'fact' AND s.into_key = e.fact_key AND c.value = e.message_key));

-- name: reword
UPDATE facts SET
  text = (SELECT e.text FROM evidence e WHERE e.space_key = :space_key AND e.fact_key = facts.fact_key
          ORDER BY e.message_key LIMIT 1),
  value = (SELECT e.value FROM evidence e WHERE e.space_key = :space_key AND e.fact_key = facts.fact_key
           ORDER BY e.message_key LIMIT 1)
WHERE fact_key = :fact_key AND method <> 'manual'
RETURNING text, value;

-- name: rekey
UPDATE facts SET value_key = :value_key WHERE fact_key = :fact_key;

-- name: hand_on
UPDATE closings SET
  by_key = (SELECT o.by_key FROM closings o WHERE o.fact_key = :fact_key AND o.undone_at IS NULL),
  closed_until = (SELECT f.valid_until FROM facts f WHERE f.fact_key = closings.fact_key)
WHERE space_key = :space_key AND by_key = :fact_key AND undone_at IS NULL
  AND EXISTS (SELECT 1 FROM closings o WHERE o.fact_key = :fact_key AND o.undone_at IS NULL);

-- name: last
UPDATE facts SET valid_until = max(
  coalesce((SELECT g.valid_from FROM closings o JOIN facts g ON g.fact_key = o.by_key
            WHERE o.fact_key = :fact_key AND o.undone_at IS NULL), valid_until),
  coalesce(valid_from, -9223372036854775807))
WHERE fact_key IN (SELECT c.fact_key FROM closings c
                   WHERE c.space_key = :space_key AND c.by_key = :fact_key AND c.undone_at IS NULL)
  AND known_until IS NULL
  AND EXISTS (SELECT 1 FROM closings o WHERE o.fact_key = :fact_key AND o.undone_at IS NULL);

-- name: reopen
UPDATE facts SET
  status = (SELECT c.status FROM closings c WHERE c.fact_key = facts.fact_key AND c.undone_at IS NULL),
  valid_until = (SELECT c.valid_until FROM closings c WHERE c.fact_key = facts.fact_key AND c.undone_at IS NULL),
  known_until = (SELECT iif(c.status = 'active', NULL, facts.known_until) FROM closings c
                 WHERE c.fact_key = facts.fact_key AND c.undone_at IS NULL)
WHERE fact_key IN (SELECT c.fact_key FROM closings c
                   WHERE c.space_key = :space_key AND c.by_key = :fact_key AND c.undone_at IS NULL)
  AND NOT EXISTS (
    SELECT 1 FROM facts o
    WHERE o.space_key = :space_key AND o.subject_key = facts.subject_key AND o.attribute_key = facts.attribute_key
      AND o.status = 'active' AND o.fact_key NOT IN (:fact_key, facts.fact_key))
RETURNING fact_key;
