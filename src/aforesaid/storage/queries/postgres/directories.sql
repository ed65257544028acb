-- name: labelled
SELECT message_key FROM messages WHERE space_key = :space_key AND metadata IS NOT NULL AND (:categories::text IS NULL
       OR metadata::json ->> 'category' IN (SELECT value FROM each_text(:categories)))
  AND (:tags::text IS NULL
       OR CASE WHEN json_typeof(metadata::json -> 'tags') = 'array' THEN EXISTS (
            SELECT 1 FROM json_array_elements_text(metadata::json -> 'tags') t(value)
            JOIN each_text(:tags) w ON w.value = t.value) ELSE false END);
