-- name: get
SELECT digests FROM copies WHERE space_key = (SELECT space_key FROM spaces WHERE id = :space);

-- name: put
INSERT INTO copies (space_key, digests) {values}
ON CONFLICT (space_key) DO UPDATE SET digests = excluded.digests;

-- name: newest
SELECT max(number) FROM changes WHERE space_key = :space_key;
