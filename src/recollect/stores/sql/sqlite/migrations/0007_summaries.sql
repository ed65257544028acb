-- A summary that another one has taken the place of: made anew for the same messages, or merged with its neighbours.

ALTER TABLE summaries ADD COLUMN replaced_by TEXT;

CREATE INDEX summaries_replaced ON summaries (space_key, replaced_by) WHERE replaced_by IS NOT NULL;
