-- name: given
SELECT stretch, count FROM rates WHERE principal = :principal AND stretch >= :before;

-- name: forget
DELETE FROM rates WHERE principal = :principal AND stretch < :before;
