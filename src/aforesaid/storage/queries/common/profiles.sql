-- name: consent
SELECT granted, at, actor, note FROM consents WHERE space_key = {named_space};

-- name: set_consent
INSERT INTO consents (space_key, granted, at, actor, note) {values}
ON CONFLICT (space_key) DO UPDATE SET {excluded granted, at, actor, note};

-- name: at
SELECT p.name, p.value, p.source, p.conversation, p.message_id, p.valid_from, p.expires_at, p.known_from
FROM consents c LEFT JOIN profiles p ON p.space_key = c.space_key AND p.value IS NOT NULL
  AND (p.expires_at IS NULL OR p.expires_at > :as_of) AND {live_profile p}
  AND p.entry = (SELECT max(entry) FROM profiles l WHERE l.space_key = c.space_key AND l.name = p.name
                   AND l.valid_from <= :as_of AND l.known_from <= :known_at)
WHERE c.space_key = {named_space} AND c.granted = 1 ORDER BY p.name;

-- name: history
SELECT name, value, source, conversation, message_id, valid_from, expires_at, known_from, entry FROM profiles p
WHERE space_key = :space_key AND {live_profile p} ORDER BY name, entry;

-- name: next_entry
SELECT coalesce(max(entry), 0) + 1 FROM profiles WHERE space_key = :space_key;

-- name: add
INSERT INTO profiles
  (space_key, name, entry, value, source, conversation, message_id, valid_from, expires_at, known_from) {values};

-- name: erase
DELETE FROM profiles WHERE space_key = :space_key;

-- name: erase_field
DELETE FROM profiles WHERE space_key = :space_key AND name = :name;

-- name: erase_from
DELETE FROM profiles WHERE space_key = :space_key AND conversation = (
  SELECT id FROM conversations WHERE {in_conversation});
