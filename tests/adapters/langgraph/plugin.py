"""Puts AforesaidStore in place of LangGraph's InMemoryStore, SqliteStore and AsyncSqliteStore.

Those take embeddings themselves, and have the vectors at once. So each store here is a Memory with these embeddings,
and every batch waits for the vectors of the batches before it.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from langgraph.store import memory as in_memory
from langgraph.store.base import Op, Result
from upstream_plugin import used

from aforesaid import Memory
from aforesaid.integrations.langgraph import AforesaidStore


class Embeddings:
    """The embeddings of a test, as an embedder of a Memory."""

    name = "test"

    def __init__(self, embeddings: Any) -> None:
        self._embeddings = embeddings

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return np.array(self._embeddings.embed_documents(list(texts)), np.float32)


class StoreOfTheirs(AforesaidStore):
    """Takes the arguments of the framework's own stores."""

    def __init__(self, *, index: Mapping[str, Any] | None = None, ttl: Any = None, file: str = ":memory:") -> None:
        embed = (index or {}).get("embed")
        self.memory = Memory(file, embedder="none" if embed is None else Embeddings(embed), environment={})
        self.embeddings = embed
        fields = (index or {}).get("fields") or (index or {}).get("text_fields")
        super().__init__(self.memory, index={"fields": fields} if fields else None, ttl=ttl)
        self.index_config = index
        used()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        used()
        if self.embeddings is not None:
            self.memory.flush()
        return super().batch(ops)

    @classmethod
    @contextmanager
    def from_conn_string(cls, conn_string: str, **options: Any) -> Iterator[StoreOfTheirs]:
        Path(conn_string).unlink(missing_ok=True)  # tests make an empty file
        store = cls(file=conn_string, **options)
        try:
            yield store
        finally:
            store.memory.close()

    def setup(self) -> None: ...

    def sweep_ttl(self) -> int:
        self.memory.flush()
        return 0

    def start_ttl_sweeper(self) -> None: ...

    def stop_ttl_sweeper(self) -> None: ...


class AsyncStoreOfTheirs(StoreOfTheirs):
    @classmethod
    @asynccontextmanager
    async def from_conn_string(cls, conn_string: str, **options: Any) -> AsyncIterator[StoreOfTheirs]:
        with StoreOfTheirs.from_conn_string.__func__(cls, conn_string, **options) as store:  # type: ignore[attr-defined]
            yield store

    async def setup(self) -> None: ...

    async def sweep_ttl(self) -> int:
        return super().sweep_ttl()

    async def start_ttl_sweeper(self) -> None: ...

    async def stop_ttl_sweeper(self) -> None: ...


def pytest_configure(config: pytest.Config) -> None:
    in_memory.InMemoryStore = StoreOfTheirs
    from langgraph.store import sqlite
    from langgraph.store.sqlite import aio

    for module in (sqlite, sys.modules["langgraph.store.sqlite.base"], aio):
        module.SqliteStore = StoreOfTheirs
        module.AsyncSqliteStore = AsyncStoreOfTheirs
