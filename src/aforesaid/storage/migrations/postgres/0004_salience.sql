-- Every message has a salience. The store computes those of the messages that are there already.

ALTER TABLE messages ADD COLUMN salience double precision;
