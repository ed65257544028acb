-- name: until
UPDATE erasures SET until = greatest(until, :until) WHERE space_key = :space_key AND at = :at AND id = :id;
