"""How people speak of time: the words of each language, and which days they mean."""
