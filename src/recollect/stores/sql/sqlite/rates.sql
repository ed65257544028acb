-- name: turn
SELECT 1;

-- name: give
INSERT INTO rates (principal, stretch, count) VALUES (:principal, :stretch, :count)
ON CONFLICT (principal, stretch) DO UPDATE SET count = count + excluded.count;
