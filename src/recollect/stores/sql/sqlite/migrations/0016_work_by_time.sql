-- How background work went in a time: found by when it ended, whoever it was for.

CREATE INDEX summaries_by_time ON summaries (created_at, space_key);
