"""Tests that a key can be changed, and that a crash at any moment leaves a store with the old key or the new one."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.child import Child

from aforesaid import Memory, StoreBusy, WrongKey

pytestmark = pytest.mark.req("X23")

Open = Callable[..., Memory]
Key = str | None
OLD, NEW = "0d" * 32, "11" * 32
CHANGES = [(OLD, NEW), (None, NEW), (OLD, None)]
PLAIN = b"SQLite format 3\0"
KILLED = Path(__file__).parent / "killed_rekey.py"


def fill(memory: Memory) -> None:
    for number in range(50):
        memory.conversation("trip").add("user", f"Message {number} about the marmalade drawer.")
    memory.flush()


def opens(open_memory: Open, path: str, key: Key) -> bool:
    try:
        memory = open_memory(path, key=key)
    except WrongKey:
        return False
    with memory:
        assert len(memory.conversation("trip").messages()) == 50
        assert all(finding.ok for finding in memory.doctor())
        return True


@pytest.mark.parametrize(("key", "new_key"), CHANGES)
def test_a_store_gets_a_new_key(open_memory: Open, path: str, tmp_path: Path, key: Key, new_key: Key) -> None:
    with open_memory(key=key) as memory:
        fill(memory)
    os.chmod(path, 0o640)
    Memory.rekey(path, key=key, new_key=new_key)
    assert opens(open_memory, path, new_key)
    assert not opens(open_memory, path, key)
    assert Path(path).read_bytes().startswith(PLAIN) == (new_key is None)
    assert Path(path).stat().st_mode & 0o777 == 0o640
    assert [file.name for file in tmp_path.iterdir()] == ["memory.db"]


def test_a_store_that_is_open_keeps_its_key(open_memory: Open, path: str) -> None:
    memory = open_memory(key=OLD)
    fill(memory)
    with pytest.raises(StoreBusy, match="Nothing was changed"):
        Memory.rekey(path, key=OLD, new_key=NEW)
    memory.conversation("trip").add("user", "One more.")
    with pytest.raises(StoreBusy):  # the failed attempt has not released the locks of this process
        Memory.rekey(path, key=OLD, new_key=NEW)
    memory.close()
    Memory.rekey(path, key=OLD, new_key=NEW)


def test_the_old_file_is_overwritten_unless_it_has_another_name(open_memory: Open, path: str, tmp_path: Path) -> None:
    with open_memory() as memory:
        fill(memory)
    with open(path, "rb") as old:
        Memory.rekey(path, key=None, new_key=NEW)
        assert set(old.read()) == {0}
    Memory.rekey(path, key=NEW, new_key=None)
    os.link(path, tmp_path / "kept.db")
    Memory.rekey(path, key=None, new_key=NEW)
    assert opens(open_memory, str(tmp_path / "kept.db"), None)


@pytest.mark.parametrize(("key", "new_key"), CHANGES)
def test_a_killed_rekey_leaves_the_old_or_the_new_key(open_memory: Open, path: str, key: Key, new_key: Key) -> None:
    with open_memory(key=key) as memory:
        fill(memory)
    code, outcomes = "", list[tuple[bool, bool]]()
    child = Child(KILLED, path, key or "", new_key or "")
    try:
        while code != "0":
            child.say(str(len(outcomes) + 1))
            code = child.line() or ""
            assert code in ("0", str(-signal.SIGKILL))
            outcomes.append((opens(open_memory, path, key), opens(open_memory, path, new_key)))
            if outcomes[-1] == (False, True) and code != "0":
                Memory.rekey(path, key=new_key, new_key=key)
    finally:
        child.stop()
    assert set(outcomes) == {(True, False), (False, True)}
    assert outcomes[-1] == (False, True)
    assert len(outcomes) > 5
