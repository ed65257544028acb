"""SQLite's full-text search by hand: one table, one connection per thread. It uses no vectors."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

from driver_protocol import Embed, serve

from aforesaid.bench.systems import match_content_words

CREATE = "CREATE VIRTUAL TABLE IF NOT EXISTS messages USING fts5(id UNINDEXED, content, tokenize = 'porter unicode61')"
SEARCH = "SELECT id FROM messages WHERE messages MATCH ? ORDER BY rank LIMIT ?"


class Fts5Store:
    def __init__(self, folder: str, embed: Embed, now: str | None) -> None:
        self._path, self._local = Path(folder) / "messages.db", threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._connection().execute(CREATE)

    def add(self, message: dict[str, str]) -> None:
        self._connection().execute("INSERT INTO messages VALUES (?, ?)", (message["id"], message["text"]))

    def settle(self) -> None: ...

    def search(self, question: str, limit: int) -> list[str]:
        match = match_content_words(question)
        return [id for (id,) in self._connection().execute(SEARCH, (match, limit))] if match else []

    def ids(self) -> list[str]:
        return [id for (id,) in self._connection().execute("SELECT id FROM messages")]

    def close(self) -> None:
        for connection in self._connections:
            connection.close()

    def _connection(self) -> sqlite3.Connection:
        if not hasattr(self._local, "connection"):
            connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
            connection.execute("PRAGMA journal_mode = WAL")
            self._local.connection = connection
            self._connections.append(connection)
        connected: sqlite3.Connection = self._local.connection
        return connected


if __name__ == "__main__":
    serve(Fts5Store)
