-- name: add
INSERT INTO feedback AS f (space_key, message_key, question, terms, verdict, at)
SELECT space_key, message_key, :question, :terms, :verdict, :at
FROM messages WHERE space_key = :space_key AND id = :id
ON CONFLICT (space_key, message_key, question) DO UPDATE SET {excluded verdict, at}
WHERE excluded.verdict <> 'quoted' OR f.verdict = 'quoted';

-- name: restore
INSERT INTO feedback (space_key, message_key, question, terms, verdict, at)
SELECT space_key, message_key, :question, :terms, :verdict, :at
FROM messages WHERE space_key = :space_key AND id = :id
ON CONFLICT (space_key, message_key, question) DO NOTHING;

-- name: latest
SELECT m.id AS message_id, f.message_key, f.verdict, f.terms, f.at FROM feedback f
{join_in_order} messages m USING (space_key, message_key)
WHERE f.space_key = :space_key ORDER BY f.at DESC, f.message_key DESC, f.question DESC LIMIT {limit};

-- name: delete
DELETE FROM feedback WHERE space_key = :space_key AND message_key = :message_key;

-- name: delete_all
DELETE FROM feedback WHERE space_key = :space_key;
