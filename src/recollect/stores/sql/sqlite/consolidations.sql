-- name: weak
SELECT id, text, tokens, strength FROM (
  SELECT fact_key, id, text, tokens, status, known_until,
         importance * min(1.0, pow(0.5, max(0, :at - max(created_at, coalesce(accessed_at, 0))) / :half_life)
                               + min(:most_from_accesses, :per_access * accesses)) AS strength
  FROM facts
  WHERE space_key = :space_key AND status IN ('active', 'pending')
    AND max(created_at, coalesce(accessed_at, 0)) < :before)
WHERE strength < :weak ORDER BY fact_key LIMIT :limit;

-- name: weak_sums
SELECT count(*), coalesce(sum(tokens), 0) FROM (
  SELECT fact_key, id, text, tokens, status, known_until,
         importance * min(1.0, pow(0.5, max(0, :at - max(created_at, coalesce(accessed_at, 0))) / :half_life)
                               + min(:most_from_accesses, :per_access * accesses)) AS strength
  FROM facts
  WHERE space_key = :space_key AND status IN ('active', 'pending')
    AND max(created_at, coalesce(accessed_at, 0)) < :before)
WHERE strength < :weak;

-- name: weak_steps
INSERT INTO consolidation_steps (consolidation_key, record, record_key, status, known_until)
SELECT :consolidation_key, 'fact', fact_key, status, known_until FROM (
  SELECT fact_key, id, text, tokens, status, known_until,
         importance * min(1.0, pow(0.5, max(0, :at - max(created_at, coalesce(accessed_at, 0))) / :half_life)
                               + min(:most_from_accesses, :per_access * accesses)) AS strength
  FROM facts
  WHERE space_key = :space_key AND status IN ('active', 'pending')
    AND max(created_at, coalesce(accessed_at, 0)) < :before)
WHERE strength < :weak;

-- name: spoken
SELECT fact_key, id, subject_key, attribute_key, value_key, text, tokens
FROM facts
WHERE space_key = :space_key AND status = :status AND valid_until IS NULL AND fact_key > :after
  AND NOT (max(created_at, coalesce(accessed_at, 0)) < :before
           AND importance * min(1.0, pow(0.5, max(0, :at - max(created_at, coalesce(accessed_at, 0))) / :half_life)
                                     + min(:most_from_accesses, :per_access * accesses)) < :weak)
ORDER BY fact_key LIMIT :limit;

-- name: step
INSERT INTO consolidation_steps (consolidation_key, record, record_key, status, known_until, into_key, copied)
SELECT :consolidation_key, 'fact', fact_key, status, known_until, :into_key, :copied FROM facts WHERE fact_key = :fact_key;

-- name: archive
UPDATE facts SET status = 'archived', updated_at = :at,
                 known_until = iif(status = 'pending', known_from, coalesce(known_until, :at))
WHERE fact_key IN (SELECT record_key FROM consolidation_steps
                   WHERE consolidation_key = :consolidation_key AND record = 'fact');

-- name: copy
INSERT OR IGNORE INTO evidence (space_key, fact_key, message_key, quote, text, value)
SELECT space_key, :into_key, message_key, quote, text, value FROM evidence
WHERE space_key = :space_key AND fact_key = :fact_key;

-- name: relate
INSERT OR IGNORE INTO relations (space_key, source_key, kind, target_key, strength, created_at)
VALUES (:space_key, :fact_key, 'part_of', :into_key, 1.0, :at);

-- name: overlapping
SELECT a.episode_key, a.id, b.episode_key, b.id, b.title, b.tokens
FROM episodes a JOIN episodes b ON b.conversation_key = a.conversation_key AND b.type = a.type
WHERE a.space_key = :space_key AND a.merged_into IS NULL AND b.merged_into IS NULL
  AND (a.significance, -a.episode_key) > (b.significance, -b.episode_key)
  AND a.first_seq <= b.last_seq AND b.first_seq <= a.last_seq
  AND 2 * (min(a.last_seq, b.last_seq) - max(a.first_seq, b.first_seq) + 1)
      >= min(a.last_seq - a.first_seq, b.last_seq - b.first_seq) + 1
ORDER BY a.significance DESC, a.episode_key, b.episode_key;

-- name: episode_step
INSERT INTO consolidation_steps (consolidation_key, record, record_key, status, into_key, copied)
SELECT :consolidation_key, 'episode', :episode_key, '', :into_key, json_array(first_seq, last_seq)
FROM episodes WHERE episode_key = :into_key;

-- name: widen
UPDATE episodes SET first_seq = min(episodes.first_seq, b.first_seq), last_seq = max(episodes.last_seq, b.last_seq)
FROM (SELECT first_seq, last_seq FROM episodes WHERE episode_key = :episode_key) b WHERE episode_key = :into_key;

-- name: merge_episode
UPDATE episodes SET merged_into = :into_key WHERE episode_key = :episode_key;

-- name: inherit
INSERT OR IGNORE INTO lineage (space_key, derived, derived_key, source, source_key)
SELECT space_key, derived, :into_key, source, source_key FROM lineage
WHERE space_key = :space_key AND derived = 'episode' AND derived_key = :episode_key;

-- name: episode_steps
SELECT record_key, into_key, copied FROM consolidation_steps
WHERE consolidation_key = :consolidation_key AND record = 'episode' ORDER BY into_key, record_key;

-- name: part_episode
UPDATE episodes SET merged_into = NULL WHERE episode_key = :episode_key;

-- name: narrow
UPDATE episodes SET first_seq = :first_seq, last_seq = :last_seq WHERE episode_key = :into_key;

-- name: fact_steps
SELECT record_key FROM consolidation_steps WHERE consolidation_key = :consolidation_key AND record = 'fact';

-- name: merges
SELECT record_key, into_key, copied FROM consolidation_steps
WHERE consolidation_key = :consolidation_key AND record = 'fact' AND into_key IS NOT NULL;

-- name: restore
UPDATE facts SET status = s.status, known_until = s.known_until, updated_at = :at
FROM consolidation_steps s
WHERE s.consolidation_key = :consolidation_key AND s.record = 'fact' AND s.record_key = facts.fact_key
  AND facts.status = 'archived'
  AND NOT EXISTS (SELECT 1 FROM facts i WHERE i.fact_key = s.into_key AND i.status = 'rejected');

-- name: crowded
SELECT f.id FROM consolidation_steps s JOIN facts f ON f.fact_key = s.record_key
WHERE s.consolidation_key = :consolidation_key AND s.record = 'fact' AND s.status = 'active' AND f.status = 'archived'
  AND NOT EXISTS (SELECT 1 FROM facts i WHERE i.fact_key = s.into_key AND i.status = 'rejected')
  AND EXISTS (SELECT 1 FROM facts o
              WHERE o.space_key = :space_key AND o.subject_key = f.subject_key AND o.attribute_key = f.attribute_key
                AND o.status IN ('active', 'superseded') AND o.known_until IS NULL)
ORDER BY f.fact_key;

-- name: uncopy
DELETE FROM evidence
WHERE space_key = :space_key AND fact_key = :into_key AND message_key IN (SELECT value FROM json_each(:copied));

-- name: undone
UPDATE consolidations SET undone_at = :at WHERE consolidation_key = :consolidation_key;

-- name: forget
DELETE FROM consolidation_steps WHERE record = :record AND record_key = :record_key;
