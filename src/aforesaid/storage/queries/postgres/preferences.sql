-- name: all
SELECT name, value FROM preferences_of(:space);
