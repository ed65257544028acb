"""Puts our classes in place of Strands' own in its tests."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import strands.session.file_session_manager as files
import strands.vended_memory_stores.test_memory_store as test_stores
from strands.session.repository_session_manager import RepositorySessionManager
from strands.vended_memory_stores.test_memory_store import TestMemoryAddResult
from strands.vended_memory_stores.test_memory_store import store as test_store
from upstream_plugin import used

from aforesaid import Memory
from aforesaid.integrations.strands import AforesaidMemoryStore, AforesaidSessionRepository

sys.path.insert(0, str(Path.cwd()))

import tests.fixtures.mock_session_repository as mocks


class Repository(AforesaidSessionRepository):
    def __init__(self) -> None:
        used()
        super().__init__(Memory(":memory:", worker=False, environment={}), "test")


class FileSessions(RepositorySessionManager, AforesaidSessionRepository):
    def __init__(self, session_id: str, storage_dir: str) -> None:
        used()
        store = Memory(Path(storage_dir) / "app.db", worker=False, environment={})
        AforesaidSessionRepository.__init__(self, store, "test")
        RepositorySessionManager.__init__(self, session_id, self)


class Store(AforesaidMemoryStore):
    __test__ = False

    def __init__(self, name: str, path: str | None = None, *, persist: bool = True, **options: Any) -> None:
        used()
        store = path if persist and path is not None else ":memory:"
        self.memory = Memory(store, environment={})
        super().__init__(self.memory, "test", name=name, **options)

    async def add(self, *args: Any) -> TestMemoryAddResult:
        added = TestMemoryAddResult(id=await super().add(*args))
        self.memory.flush()  # so that a search is by words and by meaning
        return added


mocks.MockedSessionRepository = Repository
files.FileSessionManager = FileSessions
test_stores.TestMemoryStore = test_store.TestMemoryStore = Store
