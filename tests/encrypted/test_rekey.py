"""Tests that a key can be changed, and that a crash at any moment leaves a store with the old key or the new one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from aforesaid import Memory, StoreBusy, WrongKey

pytestmark = pytest.mark.req("X23")

Open = Callable[..., Memory]
Key = str | None
OLD, NEW = "the old passphrase", "the new passphrase"
CHANGES = [(OLD, NEW), (None, NEW), (OLD, None)]
PLAIN = b"SQLite format 3\0"
# Runs `rekey` and kills itself at the n-th call to the operating system that Python reports.
KILLED = """if True:
    import os, signal, sys
    from aforesaid import Memory
    path, key, new_key, rest = *sys.argv[1:4], int(sys.argv[4])
    import aforesaid.storage.sqlite.rekey

    def count(event, arguments):
        global rest
        if event.startswith(("os.", "open", "shutil.", "tempfile.")):
            rest -= 1
            if rest == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    Memory.rekey(path, key=key or None, new_key=new_key or None)
    os._exit(0)
"""


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
    outcomes, moment = [], 0
    while True:
        moment += 1
        program = [sys.executable, "-c", KILLED, path, key or "", new_key or "", str(moment)]
        done = subprocess.run(program, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        outcomes.append((opens(open_memory, path, key), opens(open_memory, path, new_key)))
        if done.returncode == 0:
            break
        if outcomes[-1] == (False, True):
            Memory.rekey(path, key=new_key, new_key=key)
    assert set(outcomes) == {(True, False), (False, True)}
    assert outcomes[-1] == (False, True)
    assert len(outcomes) > 5
