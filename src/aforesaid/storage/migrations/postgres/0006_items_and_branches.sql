-- ## Records: facts of a schema of the owner

ALTER TABLE facts ADD COLUMN schema text COLLATE "C";  -- the name of the schema of a record, whose value is JSON
