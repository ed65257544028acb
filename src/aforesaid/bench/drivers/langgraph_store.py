"""LangGraph's SQLite store with a vector index over the field `text`, on a connection as `from_conn_string` makes it.

It needs a SQLite that loads extensions. Some builds of Python have none; pysqlite3 takes its place there."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from driver_protocol import Embed, serve

# isort: split
from langgraph.store.sqlite import SqliteStore

if not hasattr(sqlite3.Connection, "enable_load_extension"):
    from pysqlite3 import dbapi2 as sqlite3  # type: ignore[no-redef]

NAMESPACE = ("bench",)


class LangGraphStore:
    def __init__(self, folder: str, embed: Embed, now: str | None) -> None:
        index = {"dims": len(embed(["size"])[0]), "embed": lambda texts: embed(list(texts))}
        self._connection = sqlite3.connect(Path(folder) / "store.db", check_same_thread=False, isolation_level=None)
        self._store = SqliteStore(self._connection, index=index)
        self._store.setup()

    def add(self, message: dict[str, str]) -> None:
        self._store.put(NAMESPACE, message["id"], {"text": message["text"]}, index=["text"])

    def settle(self) -> None: ...

    def search(self, question: str, limit: int) -> list[str]:
        return [item.key for item in self._store.search(NAMESPACE, query=question, limit=limit)]

    def ids(self) -> list[str]:
        return [item.key for item in self._store.search(NAMESPACE, limit=1_000_000)]

    def close(self) -> None:
        self._connection.close()


if __name__ == "__main__":
    serve(LangGraphStore)
