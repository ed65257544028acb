-- name: get
SELECT digests FROM copies WHERE space_key = {named_space};

-- name: put
INSERT INTO copies (space_key, digests) {values}
ON CONFLICT (space_key) DO UPDATE SET digests = excluded.digests;

-- name: newest
SELECT max(number) FROM changes WHERE space_key = :space_key;
