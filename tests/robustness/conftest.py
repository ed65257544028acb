"""Real stores on real files, and real processes that use them."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import apsw
import pytest

from recollect import Memory

CHILDREN = Path(__file__).parent / "children"
PATIENCE = 60.0  # seconds; only a hung child is waited for that long


class Child:
    """A Python process that runs one of the scripts in `children`, spoken to line by line."""

    def __init__(self, script: str, *arguments: object) -> None:
        self._held = b""
        self.process = subprocess.Popen(
            [sys.executable, str(CHILDREN / script), *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def line(self, within: float = PATIENCE) -> str | None:
        """The next line that the child prints; None when none comes in time."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + within
        while b"\n" not in self._held:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                return None
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            assert piece, f"the child ended early: {self._complaint()}"
            self._held += piece
        line, _, self._held = self._held.partition(b"\n")
        return line.decode()

    def finish(self) -> list[str]:
        """The lines that are left, of a child that ends well."""
        out, err = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0, err.decode()
        return (self._held + out).decode().splitlines()

    def stop(self) -> None:
        """Ends the child and whatever it has forked."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def _complaint(self) -> str:
        return self.process.communicate(timeout=PATIENCE)[1].decode()


@pytest.fixture
def start() -> Iterator[Callable[..., Child]]:
    """Starts children; none of them outlives the test."""
    children: list[Child] = []

    def begin(script: str, *arguments: object) -> Child:
        children.append(Child(script, *arguments))
        return children[-1]

    yield begin
    for child in children:
        child.stop()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def mem(path: Path) -> Iterator[Memory]:
    """A store without a worker: what happens, happens when the test asks for it."""
    with Memory(path, worker=False) as mem:
        yield mem


@pytest.fixture
def rows(path: Path) -> Callable[[], dict[str, int]]:
    """How many rows each table of the store has, full-text postings included."""

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
    """Fails with the doctor's findings unless there are none."""

    def check(mem: Memory) -> None:
        assert [finding for finding in mem.doctor() if not finding.ok] == []

    return check


@pytest.fixture
def intact(path: Path) -> Callable[[], None]:
    """Fails unless SQLite's full check, which also compares indexes with tables, finds nothing."""

    def check() -> None:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        finally:
            connection.close()

    return check
