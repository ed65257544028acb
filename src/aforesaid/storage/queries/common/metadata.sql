-- fragment: metadata_keys
SELECT string_agg(CAST(record_key AS text), ',') AS keys FROM metadata_values
WHERE space_key = :space_key AND record = :record AND field = :field
-- name: exists
{metadata_keys};

-- name: eq
{metadata_keys} AND type = :type AND number = :number AND text = :text;

-- name: gt
{metadata_keys} AND type = :type AND (number, text) > (:number, :text);

-- name: gte
{metadata_keys} AND type = :type AND (number, text) >= (:number, :text);

-- name: lt
{metadata_keys} AND type = :type AND (number, text) < (:number, :text);

-- name: lte
{metadata_keys} AND type = :type AND (number, text) <= (:number, :text);

-- name: messages
SELECT id, message_key FROM messages WHERE space_key = :space_key AND id IN (SELECT value FROM {each_text}(:ids));
