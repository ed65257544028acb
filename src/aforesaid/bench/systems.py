"""The systems that the retrieval benchmarks compare: aforesaid, and baselines written with FTS5 and numpy."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from aforesaid import Context, Embedder, Hits, Memory
from aforesaid.bench.dataset import Haystack, prompt_line
from aforesaid.bench.metrics import fused
from aforesaid.providers.embedders import embedder
from aforesaid.providers.tokenizers import tokenizer
from aforesaid.text.stopwords import STOPWORDS

RankFunction = Callable[[str, int], list[str]]  # question, limit → message ids, best first
# Question, ranking, tokens → the messages in a prompt by id; the text of those that it shows as an excerpt, else None
ReadFunction = Callable[[str, Sequence[str], int], Mapping[str, str | None]]

WORD = re.compile(r"\w+")
OVERFETCH = 5
NEW_CONVERSATION = "a fresh conversation"


@dataclass(frozen=True, slots=True)
class RetrievalSystem:
    """`rank` finds messages; `read` selects those that a prompt of a number of tokens shows."""

    rank: RankFunction
    read: ReadFunction


def systems(memory: Memory, haystack: Haystack) -> dict[str, RetrievalSystem]:
    """aforesaid and its baselines over a stored haystack. Without an embedder, there are no dense baselines."""
    words, read = plain_fts(haystack), greedy(haystack)
    lexical = {"aforesaid": aforesaid(memory, haystack.space), "plain FTS5 BM25": RetrievalSystem(words, read)}
    model = embedder_of(memory)
    if model is None:
        return lexical
    meaning = dense(model, haystack)
    return lexical | {
        "dense alone": RetrievalSystem(meaning, read),
        "rank fusion": RetrievalSystem(rank_fusion(words, meaning), read),
    }


def aforesaid(memory: Memory, space: str) -> RetrievalSystem:
    """`recall` in the space, `context` in a new conversation of it, with default settings."""

    def rank(question: str, limit: int) -> list[str]:
        return found_messages(memory.space(space).recall(question, limit))

    def read(question: str, _: Sequence[str], tokens: int) -> Mapping[str, str | None]:
        context = memory.space(space).conversation(NEW_CONVERSATION).context(question, max_tokens=tokens)
        excerpts = {quote.id: quote.text for quote in context.recalled if quote.words}
        return dict.fromkeys(messages_in_context(context)) | excerpts

    return RetrievalSystem(rank, read)


def plain_fts(haystack: Haystack) -> RankFunction:
    """SQLite's full-text search with Porter stems, for any word of the question."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE messages USING fts5(id UNINDEXED, content, tokenize = 'porter unicode61')")
    rows = [(message["id"], prompt_line(message)) for message in haystack.messages()]
    connection.executemany("INSERT INTO messages VALUES (?, ?)", rows)

    def search(question: str, limit: int) -> list[str]:
        sql = "SELECT id FROM messages WHERE messages MATCH ? ORDER BY rank LIMIT ?"
        match = match_content_words(question)
        return [row[0] for row in connection.execute(sql, (match, limit))] if match else []

    return search


def match_words(words: Sequence[str]) -> str:
    """An FTS5 query: any of the words."""
    return " OR ".join(f'"{word}"' for word in words)


def match_content_words(question: str) -> str:
    """An FTS5 query: any word of the question that is not a stop word."""
    words = WORD.findall(question)
    return match_words([word for word in words if word.lower() not in STOPWORDS] or words)


def dense(model: Embedder, haystack: Haystack) -> RankFunction:
    """The same embedder on whole messages, ranked by dot product."""
    messages = list(haystack.messages())
    ids = [message["id"] for message in messages]
    matrix = model.embed([prompt_line(message) for message in messages])

    def search(question: str, limit: int) -> list[str]:
        similarity = matrix @ model.embed([question])[0]
        return [ids[at] for at in np.argsort(-similarity, kind="stable")[:limit]]

    return search


def rank_fusion(one: RankFunction, two: RankFunction) -> RankFunction:
    """The reciprocal rank fusion of two rankings."""
    return lambda question, limit: fused([one(question, limit * OVERFETCH), two(question, limit * OVERFETCH)])[:limit]


def greedy(haystack: Haystack) -> ReadFunction:
    """A greedy prompt: lines of `name: text`, best first, as long as they fit."""
    count = tokenizer().count
    cost = {message["id"]: count(prompt_line(message) + "\n") for message in haystack.messages()}

    def read(_: str, ranking: Sequence[str], tokens: int) -> Mapping[str, str | None]:
        shown: dict[str, str | None] = {}
        for id in ranking:
            if cost[id] <= tokens:
                tokens -= cost[id]
                shown[id] = None
        return shown

    return read


def embedder_of(memory: Memory) -> Embedder | None:
    """The embedder whose vectors the store searches; None if it has none."""
    serving = [model.name for model in memory.status().models if model.state == "serving"]
    return embedder(serving[0], environment=os.environ) if serving else None


def found_messages(hits: Hits) -> list[str]:
    """The messages of hits, best first; for a fact, the message that supports it."""
    return [id for hit in hits for id in ((hit.id,) if hit.message else hit.messages[-1:])]


def messages_in_context(context: Context) -> set[str]:
    """The messages that a context shows, whole or in part."""
    items = context.receipt.items
    return {item.source_message_id for item in items if item.included and item.source_message_id}


MAX_RESULTS = 20
EMBED_BATCH = 1000


class SqliteBaseline:
    """One full-text table and one matrix of vectors, joined by rank fusion."""

    def __init__(self, path: Path, embedder: Embedder) -> None:
        self._connection = sqlite3.connect(path)
        self._connection.execute("CREATE VIRTUAL TABLE messages USING fts5(content, tokenize = 'porter unicode61')")
        self._embedder = embedder
        self._matrix = np.zeros((0, 0), np.float32)

    def add(self, texts: Sequence[str]) -> None:
        """Adds all texts together. Row n of the matrix belongs to rowid n + 1."""
        with self._connection:
            self._connection.executemany("INSERT INTO messages (content) VALUES (?)", ((text,) for text in texts))
        batches = [self._embedder.embed(texts[at : at + EMBED_BATCH]) for at in range(0, len(texts), EMBED_BATCH)]
        self._matrix = np.vstack(batches)

    def plain(self, question: str) -> list[str]:
        """The best texts, best first, by every word of the question."""
        return self._texts([self._by_words(match_words(WORD.findall(question))), self._by_meaning(question)])

    def search(self, question: str) -> list[str]:
        """The same without stop words."""
        return self._texts([self._by_words(match_content_words(question)), self._by_meaning(question)])

    def close(self) -> None:
        self._connection.close()

    def _texts(self, rankings: Sequence[Sequence[str]]) -> list[str]:
        best = fused(rankings)[:MAX_RESULTS]
        rows = self._connection.execute(
            f"SELECT rowid, content FROM messages WHERE rowid IN ({','.join('?' * len(best))})",
            list(map(int, best)),
        )
        texts = {str(rowid): text for rowid, text in rows}
        return [texts[rowid] for rowid in best]

    def _by_words(self, match: str) -> list[str]:
        sql = "SELECT rowid FROM messages WHERE messages MATCH ? ORDER BY bm25(messages) LIMIT ?"
        return [str(rowid) for (rowid,) in self._connection.execute(sql, (match, MAX_RESULTS))]

    def _by_meaning(self, question: str) -> list[str]:
        similarity = self._matrix @ self._embedder.embed([question])[0]
        best = min(MAX_RESULTS, len(similarity))
        first = np.argpartition(-similarity, best - 1)[:best]
        return [str(at + 1) for at in first[np.argsort(-similarity[first])]]
