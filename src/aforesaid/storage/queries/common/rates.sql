-- name: given
SELECT stretch, count FROM rates WHERE principal = :principal AND stretch >= :before;

-- name: forget
DELETE FROM rates WHERE principal = :principal AND stretch < :before;

-- name: give
INSERT INTO rates (principal, stretch, count) {values}
ON CONFLICT (principal, stretch) DO UPDATE SET count = rates.count + excluded.count;
