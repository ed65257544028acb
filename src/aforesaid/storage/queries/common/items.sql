-- fragment: item_columns
p.item_key, p.namespace, p.key, p.value, p.text, p.fields, p.created_at, p.updated_at, p.expires_at,
  p.lifetime

-- fragment: below
p.space_key = :space_key AND p.namespace >= :first AND p.namespace < :stop

-- name: put
INSERT INTO items AS p
  (space_key, namespace, key, value, text, fields, searched, created_at, updated_at, expires_at, lifetime)
VALUES (:space_key, :namespace, :key, :value, :text, :fields, :searched, :at, :at, :expires_at, :lifetime)
ON CONFLICT (space_key, namespace, key) DO UPDATE SET
  {excluded value, text, fields, searched, updated_at, expires_at, lifetime},
  created_at = CASE WHEN {live p} THEN p.created_at ELSE excluded.created_at END
WHERE NOT EXISTS (SELECT 1 FROM spaces s WHERE s.space_key = p.space_key AND s.hold_at IS NOT NULL)
RETURNING item_key, created_at, EXISTS (
  SELECT 1 FROM notes n WHERE n.space_key = :space_key AND n.kind = 'item' AND n.id = CAST(item_key AS text)) AS noted;

-- name: restore
INSERT INTO items
  (space_key, namespace, key, value, text, fields, searched, created_at, updated_at, expires_at, lifetime)
{values} ON CONFLICT DO NOTHING RETURNING item_key, created_at, 0 AS noted;

-- name: all
SELECT {item_columns} FROM items p WHERE p.space_key = :space_key AND p.item_key > :after AND {live p}
ORDER BY p.item_key LIMIT :limit;

-- name: get
SELECT {item_columns} FROM items p
WHERE p.space_key = :space_key AND p.namespace = :namespace AND p.key = :key AND {live p};

-- name: find
SELECT p.space_key, p.item_key, CASE WHEN {live p} THEN 1 ELSE 0 END AS live FROM items p
WHERE p.space_key = :space_key AND p.namespace = :namespace AND p.key = :key;

-- name: to_erase
SELECT p.space_key, p.item_key, p.value, p.text FROM items p WHERE {below}
  AND (CAST(:key AS text) IS NULL OR p.namespace = :first AND p.key = :key) AND p.updated_at < :before;

-- name: delete
DELETE FROM items WHERE space_key = :space_key AND item_key = :item_key;

-- name: rename
UPDATE items SET namespace = :namespace, key = :key, updated_at = :now WHERE space_key = :space_key AND item_key = :item_key;

-- name: touch
UPDATE items SET expires_at = :expires_at, lifetime = :lifetime WHERE space_key = :space_key AND item_key = :item_key;

-- name: below
SELECT p.space_key, p.item_key, CASE WHEN {live p} THEN 1 ELSE 0 END AS live FROM items p WHERE {below};

-- name: page
SELECT {item_columns} FROM items p WHERE p.space_key = :space_key AND p.item_key IN (
  SELECT p.item_key FROM items p WHERE {below} AND {live p}
  ORDER BY p.updated_at DESC, p.item_key DESC LIMIT :limit OFFSET :offset)
ORDER BY p.updated_at DESC, p.item_key DESC;

-- name: containing
SELECT {item_columns} FROM items p WHERE {below} AND {live p}
  AND (p.updated_at < :at OR p.updated_at = :at AND p.item_key < :after) AND p.value LIKE :pattern ESCAPE '\'
ORDER BY p.updated_at DESC, p.item_key DESC LIMIT :limit;

-- name: namespaces
SELECT DISTINCT p.namespace FROM items p WHERE {below} AND {live p} ORDER BY p.namespace;

-- name: of_notes
SELECT n.note_key, {item_columns}, CASE WHEN {live p} THEN 1 ELSE 0 END AS live FROM notes n
{join_in_order} items p ON p.space_key = n.space_key AND p.item_key = CAST(n.id AS bigint)
WHERE {unindexed n.space_key} = :space_key AND n.note_key {among keys} AND n.kind = 'item';
