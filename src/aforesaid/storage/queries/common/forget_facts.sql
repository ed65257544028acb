-- fragment: closing_of_fact
o.space_key = :space_key AND o.fact_key = :fact_key AND o.undone_at IS NULL

-- fragment: rival
r.space_key = :space_key AND r.subject_key = facts.subject_key AND r.attribute_key = facts.attribute_key
      AND r.fact_key NOT IN (:fact_key, facts.fact_key) AND r.known_until IS NULL

-- name: delete
DELETE FROM facts WHERE space_key = :space_key AND fact_key = :fact_key;

-- name: of_messages
SELECT DISTINCT e.fact_key FROM {each_number}(:messages) k
{join_in_order} evidence e ON e.space_key = :space_key AND e.message_key = k.value;

-- name: unprove
DELETE FROM evidence WHERE space_key = :space_key AND message_key IN (SELECT value FROM {each_number}(:messages));

-- name: unsaid
SELECT k.value FROM {each_number}(:facts) k
WHERE NOT EXISTS (SELECT 1 FROM evidence e WHERE e.space_key = :space_key AND e.fact_key = k.value);

-- name: adopt
DELETE FROM consolidation_steps AS d
WHERE d.space_key = :space_key AND d.record = 'fact' AND d.into_key IN (SELECT value FROM {each_number}(:facts))
  AND NOT EXISTS (
    SELECT 1 FROM evidence e
    WHERE e.space_key = :space_key AND e.fact_key = d.into_key
      AND NOT EXISTS (SELECT 1 FROM consolidation_steps s, {each_number}(s.copied) c
                      WHERE s.space_key = :space_key AND s.record = 'fact' AND s.into_key = e.fact_key
                        AND c.value = e.message_key));

-- name: reword
UPDATE facts SET
  text = (SELECT e.text FROM evidence e WHERE e.space_key = :space_key AND e.fact_key = facts.fact_key
          ORDER BY e.message_key LIMIT 1),
  value = (SELECT e.value FROM evidence e WHERE e.space_key = :space_key AND e.fact_key = facts.fact_key
           ORDER BY e.message_key LIMIT 1)
WHERE space_key = :space_key AND fact_key = :fact_key AND method <> 'manual' RETURNING text, value;

-- name: stated
SELECT f.schema, e.value FROM facts f
{join_in_order} evidence e ON e.space_key = f.space_key AND e.fact_key = f.fact_key
WHERE f.space_key = :space_key AND f.fact_key = :fact_key AND f.schema IS NOT NULL AND f.method <> 'manual'
ORDER BY e.message_key;

-- name: restate
UPDATE facts SET text = :text, value = :value WHERE space_key = :space_key AND fact_key = :fact_key;

-- name: unreason
UPDATE facts SET reason = NULL WHERE space_key = :space_key AND fact_key = :fact_key AND reason IS NOT NULL;

-- name: rekey
UPDATE facts SET value_key = :value_key WHERE space_key = :space_key AND fact_key = :fact_key;

-- name: hand_on
UPDATE closings AS c SET
  by_key = (SELECT o.by_key FROM closings o WHERE {closing_of_fact}),
  closed_until = (SELECT f.valid_until FROM facts f WHERE f.space_key = c.space_key AND f.fact_key = c.fact_key)
WHERE c.space_key = :space_key AND c.by_key = :fact_key AND c.undone_at IS NULL
  AND EXISTS (SELECT 1 FROM closings o WHERE {closing_of_fact});

-- name: last
UPDATE facts SET valid_until = {least}(
  {greatest}(
    coalesce((SELECT g.valid_from FROM closings o JOIN facts g ON g.space_key = o.space_key AND g.fact_key = o.by_key
              WHERE {closing_of_fact}), valid_until),
    coalesce(valid_from, -9223372036854775807)),
  coalesce((SELECT c.valid_until FROM closings c
            WHERE c.space_key = :space_key AND c.fact_key = facts.fact_key AND c.by_key = :fact_key
              AND c.undone_at IS NULL), 9223372036854775807),
  coalesce((SELECT min(r.valid_from) FROM facts r
            WHERE {rival} AND r.status IN ('active', 'superseded') AND r.value_key <> facts.value_key
              AND r.valid_from >= facts.valid_until), 9223372036854775807))
WHERE {unindexed space_key} = :space_key AND known_until IS NULL
  AND fact_key IN (SELECT c.fact_key FROM closings c
                   WHERE c.space_key = :space_key AND c.by_key = :fact_key AND c.undone_at IS NULL)
  AND EXISTS (SELECT 1 FROM closings o WHERE {closing_of_fact});

-- name: reopen
UPDATE facts SET
  status = c.status, valid_until = c.valid_until,
  known_until = CASE WHEN c.status = 'active' THEN NULL ELSE facts.known_until END
FROM closings c WHERE c.space_key = :space_key AND c.by_key = :fact_key AND c.undone_at IS NULL
  AND facts.space_key = c.space_key AND facts.fact_key = c.fact_key AND facts.status <> 'rejected'
  AND NOT EXISTS (
    SELECT 1 FROM facts r
    WHERE {rival} AND (r.status = 'active' OR (r.status = 'superseded' AND r.value_key <> facts.value_key
      AND coalesce(r.valid_from, -9223372036854775807) < coalesce(c.valid_until, 9223372036854775807)
      AND coalesce(r.valid_until, 9223372036854775807) > coalesce(facts.valid_from, -9223372036854775807))))
RETURNING facts.fact_key;
