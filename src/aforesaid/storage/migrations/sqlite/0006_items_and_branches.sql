-- ## Records: facts of a schema of the owner

ALTER TABLE facts ADD COLUMN schema TEXT;  -- the name of the schema of a record, whose value is JSON
