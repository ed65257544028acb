"""Who ranks: recollect as it comes, and what one would write by hand."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable

from recollect import Memory
from recollect.bench.corpus import Haystack
from recollect.bench.metrics import fused

System = Callable[[str, int], list[str]]  # question, limit → message ids, best first

WORD = re.compile(r"\w+")
OVERFETCH = 5


def systems(memory: Memory, haystack: Haystack) -> dict[str, System]:
    """recollect and its baselines over one haystack that is in the store already."""
    words, meaning = plain_fts(haystack), dense(memory, haystack.space)
    return {
        "recollect": blended(memory, haystack.space),
        "plain FTS5 BM25": words,
        "dense alone": meaning,
        "rank fusion of both": lambda question, limit: fused(
            [words(question, limit * OVERFETCH), meaning(question, limit * OVERFETCH)]
        )[:limit],
    }


def blended(memory: Memory, space: str) -> System:
    return lambda question, limit: [hit.message.id for hit in memory.space(space).recall(question, limit)]


def dense(memory: Memory, space: str) -> System:
    """By meaning alone, through the setting that turns the words off."""

    def search(question: str, limit: int) -> list[str]:
        memory.space(space).set("hybrid", False)
        try:
            return [hit.message.id for hit in memory.space(space).recall(question, limit)]
        finally:
            memory.space(space).unset("hybrid")

    return search


def plain_fts(haystack: Haystack) -> System:
    """SQLite's own full-text search with Porter stems: the question's words, any of them."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE messages USING fts5(id UNINDEXED, content, tokenize = 'porter unicode61')")
    rows = [(message["id"], message["content"]) for message in haystack.messages()]
    connection.executemany("INSERT INTO messages VALUES (?, ?)", rows)

    def search(question: str, limit: int) -> list[str]:
        match = " OR ".join(f'"{word}"' for word in WORD.findall(question))
        sql = "SELECT id FROM messages WHERE messages MATCH ? ORDER BY rank LIMIT ?"
        return [row[0] for row in connection.execute(sql, (match, limit))] if match else []

    return search
