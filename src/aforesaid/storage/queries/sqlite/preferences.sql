-- name: all
SELECT name, value FROM preferences WHERE space_key = {named_space};
