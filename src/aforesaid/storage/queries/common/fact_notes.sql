-- name: closed_by
SELECT fact_key FROM closings WHERE space_key = :space_key AND by_key = :fact_key AND undone_at IS NULL;

-- name: fact
SELECT f.id, f.status, f.text, f.importance, f.kind, f.category, f.tags, f.valid_from, f.valid_until, f.known_from,
       f.known_until, c.at AS closed_at, f.created_at
FROM facts f LEFT JOIN closings c ON c.space_key = f.space_key AND c.fact_key = f.fact_key AND c.undone_at IS NULL
WHERE f.space_key = :space_key AND f.fact_key = :fact_key;

-- name: evidence
SELECT m.id, m.conversation_key, m.created_at FROM evidence e JOIN messages m USING (space_key, message_key)
WHERE e.space_key = :space_key AND e.fact_key = :fact_key ORDER BY m.created_at, m.message_key;
