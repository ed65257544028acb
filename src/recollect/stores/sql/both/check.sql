-- name: orphan_mentions
SELECT count(*) FROM mentions t
WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.message_key = t.message_key AND m.space_key = t.space_key);

-- name: remove_orphan_mentions
DELETE FROM mentions AS t
WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.message_key = t.message_key AND m.space_key = t.space_key);

-- name: all_block_targets
SELECT space_key, targets FROM vector_blocks;

-- name: awaited
SELECT target FROM jobs WHERE state IN ('queued', 'running', 'failed') AND kind = 'embed';

-- name: owner
SELECT space_key, conversation_key FROM messages WHERE message_key = :message_key;

-- name: unreached
UPDATE embedding_models SET reached = 0;

-- name: failed_jobs
SELECT count(*), max(error) FROM jobs WHERE state = 'failed';

-- name: late_jobs
SELECT count(*) FROM jobs WHERE state = 'running' AND due_at < :at;

-- name: unscrubbed
SELECT count(DISTINCT e.id), max(j.error) FROM erasures e, jobs j
WHERE e.pending <> '[]' AND j.state IN ('queued', 'running') AND j.kind = 'scrub' AND j.error IS NOT NULL;

-- name: unnoted_episodes
SELECT space_key, episode_key FROM episodes p WHERE p.merged_into IS NULL
  AND NOT EXISTS (SELECT 1 FROM notes n WHERE n.space_key = p.space_key AND n.kind = 'episode' AND n.id = p.id);

-- name: unnoted_facts
SELECT space_key, fact_key FROM facts p WHERE p.status IN ('active', 'superseded')
  AND NOT EXISTS (SELECT 1 FROM notes n WHERE n.space_key = p.space_key AND n.kind = 'fact' AND n.id = p.id);

-- name: pins_without_note
SELECT count(*) FROM pins p
WHERE NOT EXISTS (SELECT 1 FROM notes n WHERE n.space_key = p.space_key AND n.kind = 'pin' AND n.id = p.id);

-- name: summaries_without_note
SELECT count(*) FROM summaries p WHERE p.status = 'completed' AND p.replaced_by IS NULL
  AND NOT EXISTS (SELECT 1 FROM notes n WHERE n.space_key = p.space_key AND n.kind = 'summary' AND n.id = p.id);

-- name: note_summaries
INSERT INTO notes (space_key, kind, id, conversation_key, text, importance, at, type, tags, messages,
                   valid_from, known_from, current)
SELECT space_key, 'summary', id, conversation_key, text, importance, created_at, kind, '[]', '[]',
       created_at, created_at, 1
FROM summaries p WHERE p.status = 'completed' AND p.replaced_by IS NULL
  AND NOT EXISTS (SELECT 1 FROM notes n WHERE n.space_key = p.space_key AND n.kind = 'summary' AND n.id = p.id);
