-- name: weak
SELECT id, text, tokens, strength FROM (
  SELECT fact_key, id, text, tokens, status, known_until,
         importance * least(1.0, power(0.5::float8, greatest(0, :at - greatest(created_at, coalesce(accessed_at, 0))) / :half_life::float8)
                                 + least(:most_from_accesses::float8, :per_access::float8 * accesses)) AS strength
  FROM facts
  WHERE space_key = :space_key AND status IN ('active', 'pending')
    AND greatest(created_at, coalesce(accessed_at, 0)) < :before) w
WHERE strength < :weak ORDER BY fact_key LIMIT :limit;

-- name: weak_sums
SELECT count(*), coalesce(sum(tokens), 0)::bigint FROM (
  SELECT fact_key, id, text, tokens, status, known_until,
         importance * least(1.0, power(0.5::float8, greatest(0, :at - greatest(created_at, coalesce(accessed_at, 0))) / :half_life::float8)
                                 + least(:most_from_accesses::float8, :per_access::float8 * accesses)) AS strength
  FROM facts
  WHERE space_key = :space_key AND status IN ('active', 'pending')
    AND greatest(created_at, coalesce(accessed_at, 0)) < :before) w
WHERE strength < :weak;

-- name: weak_steps
INSERT INTO consolidation_steps (space_key, consolidation_key, record, record_key, status, known_until)
SELECT :space_key, :consolidation_key, 'fact', fact_key, status, known_until FROM (
  SELECT fact_key, id, text, tokens, status, known_until,
         importance * least(1.0, power(0.5::float8, greatest(0, :at - greatest(created_at, coalesce(accessed_at, 0))) / :half_life::float8)
                                 + least(:most_from_accesses::float8, :per_access::float8 * accesses)) AS strength
  FROM facts
  WHERE space_key = :space_key AND status IN ('active', 'pending')
    AND greatest(created_at, coalesce(accessed_at, 0)) < :before) w
WHERE strength < :weak;

-- name: spoken
SELECT fact_key, id, subject_key, attribute_key, value_key, text, tokens
FROM facts
WHERE space_key = :space_key AND status = :status AND valid_until IS NULL AND fact_key > :after
  AND NOT (greatest(created_at, coalesce(accessed_at, 0)) < :before
           AND importance * least(1.0, power(0.5::float8, greatest(0, :at - greatest(created_at, coalesce(accessed_at, 0))) / :half_life::float8)
                                 + least(:most_from_accesses::float8, :per_access::float8 * accesses)) < :weak)
ORDER BY fact_key LIMIT :limit;

-- name: step
INSERT INTO consolidation_steps
  (space_key, consolidation_key, record, record_key, status, known_until, into_key, copied)
SELECT :space_key, :consolidation_key, 'fact', fact_key, status, known_until, :into_key, :copied
FROM facts WHERE space_key = :space_key AND fact_key = :fact_key;

-- name: archive
UPDATE facts SET status = 'archived', updated_at = :at,
                 known_until = CASE WHEN status = 'pending' THEN known_from ELSE coalesce(known_until, :at) END
WHERE space_key = :space_key AND fact_key IN (
  SELECT record_key FROM consolidation_steps
  WHERE space_key = :space_key AND consolidation_key = :consolidation_key AND record = 'fact');

-- name: copy
INSERT INTO evidence (space_key, fact_key, message_key, quote, text, value)
SELECT space_key, :into_key, message_key, quote, text, value FROM evidence
WHERE space_key = :space_key AND fact_key = :fact_key
ON CONFLICT DO NOTHING;

-- name: relate
INSERT INTO relations (space_key, source_key, kind, target_key, strength, created_at)
VALUES (:space_key, :fact_key, 'part_of', :into_key, 1.0, :at)
ON CONFLICT DO NOTHING;

-- name: overlapping
SELECT a.episode_key, a.id, b.episode_key, b.id, b.title, b.tokens
FROM episodes a JOIN episodes b
  ON b.space_key = a.space_key AND b.conversation_key = a.conversation_key AND b.type = a.type
WHERE a.space_key = :space_key AND a.merged_into IS NULL AND b.merged_into IS NULL
  AND (a.significance, -a.episode_key) > (b.significance, -b.episode_key)
  AND a.first_seq <= b.last_seq AND b.first_seq <= a.last_seq
  AND 2 * (least(a.last_seq, b.last_seq) - greatest(a.first_seq, b.first_seq) + 1)
      >= least(a.last_seq - a.first_seq, b.last_seq - b.first_seq) + 1
ORDER BY a.significance DESC, a.episode_key, b.episode_key;

-- name: episode_step
INSERT INTO consolidation_steps (space_key, consolidation_key, record, record_key, status, into_key, copied)
SELECT :space_key, :consolidation_key, 'episode', :episode_key, '', :into_key, json_build_array(first_seq, last_seq)::text
FROM episodes WHERE space_key = :space_key AND episode_key = :into_key;

-- name: widen
UPDATE episodes e SET first_seq = least(e.first_seq, b.first_seq), last_seq = greatest(e.last_seq, b.last_seq)
FROM (SELECT first_seq, last_seq FROM episodes WHERE space_key = :space_key AND episode_key = :episode_key) b
WHERE e.space_key = :space_key AND e.episode_key = :into_key;

-- name: merge_episode
UPDATE episodes SET merged_into = :into_key WHERE space_key = :space_key AND episode_key = :episode_key;

-- name: inherit
INSERT INTO lineage (space_key, derived, derived_key, source, source_key)
SELECT space_key, derived, :into_key, source, source_key FROM lineage
WHERE space_key = :space_key AND derived = 'episode' AND derived_key = :episode_key
ON CONFLICT DO NOTHING;

-- name: episode_steps
SELECT record_key, into_key, copied FROM consolidation_steps
WHERE space_key = :space_key AND consolidation_key = :consolidation_key AND record = 'episode' ORDER BY into_key, record_key;

-- name: part_episode
UPDATE episodes SET merged_into = NULL WHERE space_key = :space_key AND episode_key = :episode_key;

-- name: narrow
UPDATE episodes SET first_seq = :first_seq, last_seq = :last_seq WHERE space_key = :space_key AND episode_key = :into_key;

-- name: fact_steps
SELECT record_key FROM consolidation_steps WHERE space_key = :space_key AND consolidation_key = :consolidation_key AND record = 'fact';

-- name: merges
SELECT record_key, into_key, copied FROM consolidation_steps
WHERE space_key = :space_key AND consolidation_key = :consolidation_key AND record = 'fact' AND into_key IS NOT NULL;

-- name: restore
UPDATE facts SET status = s.status, known_until = s.known_until, updated_at = :at
FROM consolidation_steps s
WHERE s.space_key = :space_key AND s.consolidation_key = :consolidation_key AND s.record = 'fact'
  AND facts.space_key = s.space_key AND facts.fact_key = s.record_key AND facts.status = 'archived'
  AND NOT EXISTS (SELECT 1 FROM facts i
                  WHERE i.space_key = s.space_key AND i.fact_key = s.into_key AND i.status = 'rejected');

-- name: crowded
SELECT f.id FROM consolidation_steps s JOIN facts f ON f.space_key = s.space_key AND f.fact_key = s.record_key
WHERE s.space_key = :space_key AND s.consolidation_key = :consolidation_key AND s.record = 'fact'
  AND s.status = 'active' AND f.status = 'archived'
  AND NOT EXISTS (SELECT 1 FROM facts i
                  WHERE i.space_key = s.space_key AND i.fact_key = s.into_key AND i.status = 'rejected')
  AND EXISTS (SELECT 1 FROM facts o
              WHERE o.space_key = :space_key AND md5(o.subject_key) = md5(f.subject_key)
                AND md5(o.attribute_key) = md5(f.attribute_key) AND o.status IN ('active', 'superseded') AND o.known_until IS NULL)
ORDER BY f.fact_key;

-- name: uncopy
DELETE FROM evidence
WHERE space_key = :space_key AND fact_key = :into_key AND message_key IN (SELECT value FROM each_number(:copied));

-- name: undone
UPDATE consolidations SET undone_at = :at WHERE space_key = :space_key AND consolidation_key = :consolidation_key;

-- name: forget
DELETE FROM consolidation_steps WHERE space_key = :space_key AND record = :record AND record_key = :record_key;
