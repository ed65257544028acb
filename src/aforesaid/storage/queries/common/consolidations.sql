-- fragment: last_used
{greatest}(created_at, coalesce(accessed_at, 0))

-- fragment: fact_strength
importance * {least}(1.0,
  power(CAST(0.5 AS float8), {greatest}(0, :at - {last_used}) / CAST(:half_life AS float8))
  + {least}(CAST(:most_from_accesses AS float8), CAST(:per_access AS float8) * accesses))

-- fragment: fact_strengths
SELECT fact_key, id, text, tokens, status, known_until, {fact_strength} AS strength FROM facts
  WHERE space_key = :space_key AND status IN ('active', 'pending') AND {last_used} < :before

-- name: looked_at
SELECT count(*) FROM facts WHERE space_key = :space_key AND status IN ('active', 'pending');

-- name: insert
INSERT INTO consolidations (space_key, id, at, looked_at, archived, merged, tokens, undone_at) {values}
ON CONFLICT (space_key, id) DO NOTHING RETURNING consolidation_key;

-- name: lacking
SELECT e.message_key FROM evidence e WHERE e.space_key = :space_key AND e.fact_key = :fact_key
  AND NOT EXISTS (SELECT 1 FROM evidence k
                  WHERE k.space_key = :space_key AND k.fact_key = :into_key AND k.message_key = e.message_key);

-- name: last
SELECT consolidation_key, id, at, looked_at, archived, merged, tokens, undone_at FROM consolidations
WHERE space_key = :space_key AND undone_at IS NULL ORDER BY consolidation_key DESC LIMIT 1;

-- name: list
SELECT consolidation_key, id, at, looked_at, archived, merged, tokens, undone_at FROM consolidations
WHERE space_key = :space_key ORDER BY consolidation_key DESC LIMIT {limit};

-- name: weak
SELECT id, text, tokens, strength FROM ({fact_strengths}) w WHERE strength < :weak ORDER BY fact_key LIMIT :limit;

-- name: weak_sums
SELECT count(*) AS count, CAST(coalesce(sum(tokens), 0) AS bigint) AS tokens FROM ({fact_strengths}) w
WHERE strength < :weak;

-- name: weak_steps
INSERT INTO consolidation_steps (space_key, consolidation_key, record, record_key, status, known_until)
SELECT :space_key, :consolidation_key, 'fact', fact_key, status, known_until FROM ({fact_strengths}) w
WHERE strength < :weak;

-- name: spoken
SELECT fact_key, id, subject_key, attribute_key, value_key, text, tokens FROM facts
WHERE space_key = :space_key AND status = :status AND valid_until IS NULL AND fact_key > :after
  AND NOT ({last_used} < :before AND {fact_strength} < :weak)
ORDER BY fact_key LIMIT :limit;

-- name: step
INSERT INTO consolidation_steps
  (space_key, consolidation_key, record, record_key, status, known_until, into_key, copied)
SELECT :space_key, :consolidation_key, 'fact', fact_key, status, known_until, :into_key, :copied
FROM facts WHERE space_key = :space_key AND fact_key = :fact_key;

-- name: archive
UPDATE facts SET status = 'archived', updated_at = :at,
                 known_until = CASE WHEN status = 'pending' THEN known_from ELSE coalesce(known_until, :at) END
WHERE {unindexed space_key} = :space_key AND fact_key IN (
  SELECT record_key FROM consolidation_steps
  WHERE space_key = :space_key AND consolidation_key = :consolidation_key AND record = 'fact');

-- name: copy
INSERT INTO evidence (space_key, fact_key, message_key, quote, text, value, supports)
SELECT space_key, :into_key, message_key, quote, text, value, supports FROM evidence
WHERE space_key = :space_key AND fact_key = :fact_key ON CONFLICT DO NOTHING;

-- name: relate
INSERT INTO relations (space_key, source_key, kind, target_key, strength, created_at)
VALUES (:space_key, :fact_key, 'part_of', :into_key, 1.0, :at) ON CONFLICT DO NOTHING;

-- name: overlapping
SELECT a.episode_key AS into_key, a.id AS into_id, b.episode_key, b.id, b.title, b.tokens
FROM episodes a JOIN episodes b
  ON b.space_key = a.space_key AND b.conversation_key = a.conversation_key AND b.type = a.type
WHERE a.space_key = :space_key AND a.merged_into IS NULL AND b.merged_into IS NULL
  AND (a.significance, -a.episode_key) > (b.significance, -b.episode_key)
  AND a.first_seq <= b.last_seq AND b.first_seq <= a.last_seq
  AND 2 * ({least}(a.last_seq, b.last_seq) - {greatest}(a.first_seq, b.first_seq) + 1)
      >= {least}(a.last_seq - a.first_seq, b.last_seq - b.first_seq) + 1
ORDER BY a.significance DESC, a.episode_key, b.episode_key;

-- name: episode_step
INSERT INTO consolidation_steps (space_key, consolidation_key, record, record_key, status, into_key, copied)
SELECT :space_key, :consolidation_key, 'episode', :episode_key, '', :into_key,
       CAST({json_array}(first_seq, last_seq) AS text)
FROM episodes WHERE space_key = :space_key AND episode_key = :into_key;

-- name: widen
UPDATE episodes AS e SET first_seq = {least}(e.first_seq, b.first_seq), last_seq = {greatest}(e.last_seq, b.last_seq)
FROM (SELECT first_seq, last_seq FROM episodes WHERE space_key = :space_key AND episode_key = :episode_key) b
WHERE e.space_key = :space_key AND e.episode_key = :into_key;

-- name: merge_episode
UPDATE episodes SET merged_into = :into_key WHERE space_key = :space_key AND episode_key = :episode_key;

-- name: inherit
INSERT INTO lineage (space_key, derived, derived_key, source, source_key)
SELECT space_key, derived, :into_key, source, source_key FROM lineage
WHERE space_key = :space_key AND derived = 'episode' AND derived_key = :episode_key ON CONFLICT DO NOTHING;

-- name: episode_steps
SELECT record_key, into_key, copied FROM consolidation_steps
WHERE space_key = :space_key AND consolidation_key = :consolidation_key AND record = 'episode'
ORDER BY into_key, record_key;

-- name: narrow
UPDATE episodes SET first_seq = :first_seq, last_seq = :last_seq
WHERE space_key = :space_key AND episode_key = :into_key;

-- name: fact_steps
SELECT record_key FROM consolidation_steps
WHERE space_key = :space_key AND consolidation_key = :consolidation_key AND record = 'fact';

-- name: merges
SELECT record_key, into_key, copied FROM consolidation_steps
WHERE space_key = :space_key AND consolidation_key = :consolidation_key AND record = 'fact' AND into_key IS NOT NULL;

-- name: restore
UPDATE facts SET status = s.status, known_until = s.known_until, updated_at = :at FROM consolidation_steps s
WHERE s.space_key = :space_key AND s.consolidation_key = :consolidation_key AND s.record = 'fact'
  AND facts.space_key = s.space_key AND facts.fact_key = s.record_key AND facts.status = 'archived'
  AND NOT EXISTS (SELECT 1 FROM facts i
                  WHERE i.space_key = s.space_key AND i.fact_key = s.into_key AND i.status = 'rejected');

-- name: crowded
SELECT f.id FROM consolidation_steps s
{join_in_order} facts f ON f.space_key = s.space_key AND f.fact_key = s.record_key
WHERE s.space_key = :space_key AND s.consolidation_key = :consolidation_key AND s.record = 'fact'
  AND s.status = 'active' AND f.status = 'archived'
  AND NOT EXISTS (SELECT 1 FROM facts i
                  WHERE i.space_key = s.space_key AND i.fact_key = s.into_key AND i.status = 'rejected')
  AND EXISTS (SELECT 1 FROM facts o
              WHERE o.space_key = :space_key AND {md5}(o.subject_key) = {md5}(f.subject_key)
                AND {md5}(o.attribute_key) = {md5}(f.attribute_key)
                AND o.status IN ('active', 'superseded') AND o.known_until IS NULL)
ORDER BY f.fact_key;

-- name: uncopy
DELETE FROM evidence
WHERE space_key = :space_key AND fact_key = :into_key AND message_key IN (SELECT value FROM {each_number}(:copied));

-- name: undone
UPDATE consolidations SET undone_at = :at WHERE space_key = :space_key AND consolidation_key = :consolidation_key;
