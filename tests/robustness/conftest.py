"""Fixtures for robustness tests: SQLite stores on disk and the child processes that use them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest
from tests.child import Child

from aforesaid import Memory

CHILDREN = Path(__file__).parent / "children"


@pytest.fixture
def start() -> Iterator[Callable[..., Child]]:
    """Starts child processes and stops them at the end of the test."""
    children: list[Child] = []

    def begin(script: str, *arguments: object) -> Child:
        children.append(Child(CHILDREN / script, *arguments))
        return children[-1]

    yield begin
    for child in children:
        child.stop()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def mem(path: Path) -> Iterator[Memory]:
    """Opens a store without a background worker, so that jobs run only when the test calls for them."""
    with Memory(path, worker=False) as mem:
        yield mem


@pytest.fixture
def rows(path: Path) -> Callable[[], dict[str, int]]:
    """Counts the rows of each table of the store, including the full-text postings."""

    def count() -> dict[str, int]:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            return {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchall()[0][0] for (name,) in tables}
        finally:
            connection.close()

    return count


@pytest.fixture
def healthy() -> Callable[[Memory], None]:
    """Fails if the doctor reports a problem."""

    def check(mem: Memory) -> None:
        assert [finding for finding in mem.doctor() if not finding.ok] == []

    return check


@pytest.fixture
def intact(path: Path) -> Callable[[], None]:
    """Fails if SQLite's full integrity check, which also compares indexes with tables, finds an error."""

    def check() -> None:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        finally:
            connection.close()

    return check
