-- name: labelled
SELECT message_key FROM messages INDEXED BY messages_directory WHERE space_key = :space_key AND metadata IS NOT NULL
  AND (:categories IS NULL
       OR json_extract(metadata, '$.category') IN (SELECT value FROM json_each(:categories)))
  AND (:tags IS NULL
       OR EXISTS (SELECT 1 FROM json_each(metadata, '$.tags') t JOIN json_each(:tags) w ON w.value = t.value));
