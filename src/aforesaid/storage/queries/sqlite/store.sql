-- name: size
SELECT name, sum(pgsize) FROM dbstat GROUP BY name;
