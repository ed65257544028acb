-- name: consent
SELECT granted, at, actor, note FROM consents WHERE space_key = (SELECT space_key FROM spaces WHERE id = :space);

-- name: set_consent
INSERT INTO consents (space_key, granted, at, actor, note) VALUES (:space_key, :granted, :at, :actor, :note)
ON CONFLICT (space_key) DO UPDATE SET
  granted = excluded.granted, at = excluded.at, actor = excluded.actor, note = excluded.note;

-- name: at
SELECT p.name, p.value, p.source, p.conversation, p.message_id, p.valid_from, p.expires_at, p.known_from
FROM (SELECT name, max(entry) AS entry FROM profiles
      WHERE space_key = :space_key AND valid_from <= :as_of AND known_from <= :known_at GROUP BY name) last
JOIN profiles p ON p.space_key = :space_key AND p.name = last.name AND p.entry = last.entry
WHERE p.value IS NOT NULL AND (p.expires_at IS NULL OR p.expires_at > :as_of)
ORDER BY p.name;

-- name: history
SELECT name, value, source, conversation, message_id, valid_from, expires_at, known_from, entry FROM profiles
WHERE space_key = :space_key ORDER BY name, entry;

-- name: next_entry
SELECT coalesce(max(entry), 0) + 1 FROM profiles WHERE space_key = :space_key;

-- name: add
INSERT INTO profiles
  (space_key, name, entry, value, source, conversation, message_id, valid_from, expires_at, known_from)
VALUES
  (:space_key, :name, :entry, :value, :source, :conversation, :message_id, :valid_from, :expires_at, :known_from);

-- name: erase
DELETE FROM profiles WHERE space_key = :space_key;

-- name: erase_field
DELETE FROM profiles WHERE space_key = :space_key AND name = :name;
