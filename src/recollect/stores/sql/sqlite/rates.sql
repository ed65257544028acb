-- name: turn
SELECT 1;

-- name: given
SELECT stretch, count FROM rates WHERE principal = :principal AND stretch >= :before;

-- name: give
INSERT INTO rates (principal, stretch, count) VALUES (:principal, :stretch, :count)
ON CONFLICT (principal, stretch) DO UPDATE SET count = count + excluded.count;

-- name: forget
DELETE FROM rates WHERE principal = :principal AND stretch < :before;
