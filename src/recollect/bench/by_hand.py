"""FTS5 and numpy by hand: what one would write in an afternoon without a library."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from recollect import Embedder
from recollect.bench.metrics import fused
from recollect.bench.systems import any_word, every_word

BEST = 20
BATCH = 1000


class ByHand:
    """One full-text table, one matrix of vectors; the best of each, joined by rank."""

    def __init__(self, path: Path, embedder: Embedder) -> None:
        self._connection = sqlite3.connect(path)
        self._connection.execute("CREATE VIRTUAL TABLE messages USING fts5(content, tokenize = 'porter unicode61')")
        self._embedder = embedder
        self._matrix = np.zeros((0, 0), np.float32)

    def add(self, texts: Sequence[str]) -> None:
        """Row n of the matrix belongs to rowid n + 1. Everything is added at once."""
        with self._connection:
            self._connection.executemany("INSERT INTO messages (content) VALUES (?)", ((text,) for text in texts))
        batches = [self._embedder.embed(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)]
        self._matrix = np.vstack(batches)

    def plain(self, question: str) -> list[str]:
        """The texts of the best, best first, by every word of the question."""
        return self._texts([self._by_words(every_word(question)), self._by_meaning(question)])

    def search(self, question: str) -> list[str]:
        """The same, by the words that are not in every sentence."""
        return self._texts([self._by_words(any_word(question)), self._by_meaning(question)])

    def close(self) -> None:
        self._connection.close()

    def _texts(self, rankings: Sequence[Sequence[str]]) -> list[str]:
        best = fused(rankings)[:BEST]
        rows = self._connection.execute(
            f"SELECT rowid, content FROM messages WHERE rowid IN ({','.join('?' * len(best))})",
            [int(one) for one in best],
        )
        texts = {str(rowid): text for rowid, text in rows}
        return [texts[one] for one in best]

    def _by_words(self, match: str) -> list[str]:
        sql = "SELECT rowid FROM messages WHERE messages MATCH ? ORDER BY bm25(messages) LIMIT ?"
        return [str(rowid) for (rowid,) in self._connection.execute(sql, (match, BEST))]

    def _by_meaning(self, question: str) -> list[str]:
        likeness = self._matrix @ self._embedder.embed([question])[0]
        best = min(BEST, len(likeness))
        first = np.argpartition(-likeness, best - 1)[:best]
        return [str(at + 1) for at in first[np.argsort(-likeness[first])]]
