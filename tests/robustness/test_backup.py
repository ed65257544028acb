"""Tests backups and restores with concurrent writers, killed processes and a full disk."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from aforesaid import Memory, StoreFull

pytestmark = pytest.mark.req("X19")

BACKUPS = 4
MORE = 10  # messages that each writer adds between two backups
LARGE = 600  # messages; a few megabytes
LONG = "the river runs past the mill and under the old stone bridge " * 100


def drained(child, least: int) -> Iterator[str]:
    """Yields at least `least` lines, and then all further lines that are available."""
    for _ in range(least):
        yield child.line()
    while line := child.line(within=0):
        yield line


def ids(memory: Memory) -> set[str]:
    return {message.id for who in ("ann", "ben") for message in memory.space(who).conversation("c").messages(1_000_000)}


def test_every_backup_contains_all_messages_acknowledged_before_it_started(path, tmp_path, start, healthy):
    Memory(path, worker=False).close()
    writers = [start("writer.py", path, who) for who in ("ann", "ben")]
    acknowledged: set[str] = set()
    with Memory(path, worker=False) as memory:
        for number in range(BACKUPS):
            for writer in writers:
                acknowledged.update(drained(writer, MORE))
            place = tmp_path / f"{number}.db"
            made = memory.backup(place)
            with Memory(place, worker=False) as copy:
                stored = ids(copy)
                assert acknowledged <= stored
                assert len(stored) == made.messages
                healthy(copy)
                for who in ("ann", "ben"):
                    seqs = [message.seq for message in copy.space(who).conversation("c").messages(1_000_000)]
                    assert seqs == list(range(len(seqs)))


def test_writers_do_not_wait_for_a_backup(large, tmp_path, start):
    """Between two steps of the copy, a writer in another process can write."""
    with Memory(large, worker=False) as memory:
        writer = start("writer.py", large, "ann")
        heard: list[str] = []
        made = memory.backup(tmp_path / "b.db", progress=lambda *_: heard.append(writer.line()))
    assert made.messages < LARGE + len(heard)
    assert None not in heard
    assert len(heard) >= 2


@pytest.fixture
def copier(start) -> Callable[..., Callable[[int], bool]]:
    """Makes a function that runs a copy in a new process, kills it after a number of progress reports, and returns
    whether the process was killed."""

    def make(*arguments: object) -> Callable[[int], bool]:
        child = start("copier.py", *arguments)

        def killed(reports: int) -> bool:
            child.say(str(reports))
            code = int(child.line())
            assert code in (0, -signal.SIGKILL)
            return code != 0

        return killed

    return make


@pytest.fixture(scope="module")
def filled(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("filled") / "memory.db"
    with Memory(path, worker=False) as memory:
        memory.conversation("c").add_many({"role": "user", "content": f"{n} {LONG}"} for n in range(LARGE))
    return path


@pytest.fixture
def large(path, filled) -> Path:
    return Path(shutil.copy(filled, path))


def test_a_killed_backup_leaves_the_existing_backup_unchanged(large, tmp_path, copier):
    folder = tmp_path / "copies"
    folder.mkdir()
    killed = copier("backup", large, folder / "b.db")
    reports = 1
    while killed(reports):
        assert not (folder / "b.db").exists()
        reports += 1
    assert reports > 2
    good = (folder / "b.db").read_bytes()
    assert killed(1)
    assert (folder / "b.db").read_bytes() == good


def test_a_killed_restore_leaves_the_store_unchanged(large, tmp_path, copier, healthy):
    store = tmp_path / "store.db"
    killed = copier("restore", large, store)
    with Memory(store, worker=False) as memory:
        memory.conversation("mine").add_many({"role": "user", "content": f"mine {n} {LONG}"} for n in range(200))
    found: list[tuple[str, int]] = []
    while killed(len(found) + 1):
        with Memory(store, worker=False) as memory:
            (info,) = memory.space("default").conversations()
            found.append((info.id, info.messages))
            healthy(memory)
    old = [one for one in found if one == ("mine", 200)]
    assert len(old) > 4
    assert found == [*old, *[("c", LARGE)] * (len(found) - len(old))]  # after the last report, the restore is complete
    with Memory(store, worker=False) as memory:
        assert len(memory.conversation("c").messages(10_000)) == LARGE
        healthy(memory)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Mounts a file system of 3 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", folder], capture_output=True, check=False)
    if made.returncode:
        pytest.skip(f"a small file system cannot be mounted here: {made.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk_leaves_no_partial_backup_and_no_partial_store(large, disk, tmp_path):
    with Memory(large, worker=False) as memory:
        with pytest.raises(StoreFull):
            memory.backup(disk / "b.db")
        memory.backup(tmp_path / "b.db")
    with pytest.raises(StoreFull):
        Memory.restore(tmp_path / "b.db", disk / "store.db")
    assert list(disk.iterdir()) == []
    with Memory(disk / "mine.db", worker=False) as memory:
        memory.conversation("c").add("user", "mine")
    with pytest.raises(StoreFull):
        Memory.restore(tmp_path / "b.db", disk / "mine.db", force=True)
    with Memory(disk / "mine.db", worker=False) as memory:
        assert [message.text for message in memory.conversation("c").messages()] == ["mine"]
