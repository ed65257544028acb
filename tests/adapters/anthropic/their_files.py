"""Puts our memory tools in place of the SDK's file-system tools, in its own tests.

`base_path` stays a folder on the disk, in which the store is. Where the tests compare what the folder contains, they
get the files of the store.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from upstream_plugin import used

from aforesaid import Memory
from aforesaid.integrations.anthropic import AsyncMemoryTool, MemoryTool
from aforesaid.space import Space

stores: dict[str, Memory] = {}


def space_in(base_path: str) -> Space:
    used()
    stores[base_path] = Memory(Path(base_path) / "app.db", environment={})
    return stores[base_path].space("ana")


class Root:
    """The folder of the memories, which always exists."""

    def is_dir(self) -> bool:
        return True


class AsyncRoot:
    async def is_dir(self) -> bool:
        return True


class LocalTool(MemoryTool):
    def __init__(self, base_path: str) -> None:
        super().__init__(space_in(base_path))
        self.base_path, self.memory_root = base_path, Root()


class AsyncLocalTool(AsyncMemoryTool):
    def __init__(self, base_path: str) -> None:
        super().__init__(space_in(base_path))
        self.base_path, self.memory_root = base_path, AsyncRoot()


def files_in(base_path: str) -> dict[str, Any]:
    items = stores[base_path].space("ana").items().search(limit=1000)
    return {"/".join((*hit.item.namespace, hit.item.key)): hit.item.value for hit in items}


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> Any:
    module = yield
    if module_path.name != "test_filesystem.py":
        return module
    imported: ModuleType = module.obj
    imported.BetaLocalFilesystemMemoryTool = LocalTool
    imported.BetaAsyncLocalFilesystemMemoryTool = AsyncLocalTool
    imported.get_directory_snapshot = files_in
    return module


def pytest_runtest_teardown() -> None:
    while stores:
        stores.popitem()[1].close()
