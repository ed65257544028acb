"""Who finds: recollect as it comes, and what one would write by hand."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from recollect import Context, Embedder, Hits, Memory
from recollect.bench.corpus import Haystack, line
from recollect.bench.metrics import fused
from recollect.providers.embedders import embedder
from recollect.providers.tokenizers import tokenizer
from recollect.text.stopwords import STOPWORDS

Rank = Callable[[str, int], list[str]]  # question, limit → message ids, best first
Read = Callable[[str, Sequence[str], int], Collection[str]]  # question, ranking, tokens → ids that a model would read

WORD = re.compile(r"\w+")
OVERFETCH = 5
FRESH = "a fresh conversation"


@dataclass(frozen=True, slots=True)
class System:
    """`rank` finds messages; `read` says which of them a model gets to see in a prompt of so many tokens."""

    rank: Rank
    read: Read


def systems(memory: Memory, haystack: Haystack) -> dict[str, System]:
    """recollect and its baselines over one haystack that is in the store already. Where the store embeds nothing,
    there is no baseline by meaning."""
    words, read = plain_fts(haystack), greedy(haystack)
    found = {"recollect": recollect(memory, haystack.space), "plain FTS5 BM25": System(words, read)}
    model = embedder_of(memory)
    if model is None:
        return found
    meaning = dense(model, haystack)
    return found | {"dense alone": System(meaning, read), "rank fusion": System(both(words, meaning), read)}


def recollect(memory: Memory, space: str) -> System:
    """As it comes: `recall` in the space, `context` in a fresh conversation of it."""

    def rank(question: str, limit: int) -> list[str]:
        return found(memory.space(space).recall(question, limit))

    def read(question: str, _: Sequence[str], tokens: int) -> Collection[str]:
        return shown(memory.space(space).conversation(FRESH).context(question, max_tokens=tokens))

    return System(rank, read)


def plain_fts(haystack: Haystack) -> Rank:
    """SQLite's own full-text search with Porter stems: the question's words, any of them."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE messages USING fts5(id UNINDEXED, content, tokenize = 'porter unicode61')")
    rows = [(message["id"], line(message)) for message in haystack.messages()]
    connection.executemany("INSERT INTO messages VALUES (?, ?)", rows)

    def search(question: str, limit: int) -> list[str]:
        sql = "SELECT id FROM messages WHERE messages MATCH ? ORDER BY rank LIMIT ?"
        match = any_word(question)
        return [row[0] for row in connection.execute(sql, (match, limit))] if match else []

    return search


def every_word(question: str) -> str:
    """The question as FTS5 takes it: any of its words."""
    return " OR ".join(f'"{word}"' for word in WORD.findall(question))


def any_word(question: str) -> str:
    """The question as FTS5 takes it: any of its words, without those that are in every sentence."""
    words = WORD.findall(question)
    telling = [word for word in words if word.lower() not in STOPWORDS] or words
    return " OR ".join(f'"{word}"' for word in telling)


def dense(model: Embedder, haystack: Haystack) -> Rank:
    """The same embedder, the whole message at once, and a scalar product with every one of them."""
    messages = list(haystack.messages())
    ids = [message["id"] for message in messages]
    matrix = model.embed([line(message) for message in messages])

    def search(question: str, limit: int) -> list[str]:
        likeness = matrix @ model.embed([question])[0]
        return [ids[at] for at in np.argsort(-likeness, kind="stable")[:limit]]

    return search


def both(one: Rank, two: Rank) -> Rank:
    """The reciprocal rank fusion of two."""
    return lambda question, limit: fused([one(question, limit * OVERFETCH), two(question, limit * OVERFETCH)])[:limit]


def greedy(haystack: Haystack) -> Read:
    """A prompt by hand: `name: text` lines, best first, each that still fits; nothing else is counted."""
    count = tokenizer().count
    cost = {message["id"]: count(line(message) + "\n") for message in haystack.messages()}

    def read(_: str, ranking: Sequence[str], tokens: int) -> Collection[str]:
        taken = set()
        for one in ranking:
            if cost[one] <= tokens:
                tokens -= cost[one]
                taken.add(one)
        return taken

    return read


def embedder_of(memory: Memory) -> Embedder | None:
    """The embedder whose vectors the store searches; None where it has none."""
    serving = [model.name for model in memory.status().models if model.state == "serving"]
    return embedder(serving[0], environment=os.environ) if serving else None


def found(hits: Hits) -> list[str]:
    """The messages that were found, best first; where a fact was, the message that says it."""
    return [id for hit in hits for id in ((hit.id,) if hit.message else hit.messages[-1:])]


def shown(context: Context) -> set[str]:
    """The messages of which something is in the context."""
    items = context.receipt.items
    return {item.source_message_id for item in items if item.included and item.source_message_id}
