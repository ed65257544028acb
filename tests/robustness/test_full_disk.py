"""Tests that a full disk loses no acknowledged message, and that writes succeed again when space is free."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from aforesaid import AforesaidError, Conversation, Memory, Message, StoreFull

WORDS = "the river runs past the mill and under the old stone bridge " * 5


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


@pytest.fixture
def path(disk: Path) -> Path:
    return disk / "memory.db"


def fill(chat: Conversation, who: str) -> list[Message]:
    """Adds messages until the disk is full; returns the acknowledged messages."""
    stored: list[Message] = []

    def add_for_ever() -> None:
        while True:
            stored.append(chat.add("user", f"{who}{len(stored)} {WORDS}"))

    with pytest.raises(StoreFull, match="disk is full"):
        add_for_ever()
    return stored


def assert_kept(chat: Conversation, acknowledged: list[Message]) -> None:
    messages = chat.messages(100_000)
    assert [message.seq for message in messages] == list(range(len(messages)))
    assert messages == sorted(acknowledged, key=lambda message: message.seq)


@pytest.mark.req("A21", "X18")
@pytest.mark.parametrize("worker", [True, False])
def test_acknowledged_messages_survive_a_full_disk_and_adding_works_again(disk, path, worker, healthy, intact):
    ballast = disk / "ballast"
    ballast.write_bytes(bytes(1_000_000))
    with Memory(path, worker=worker) as mem:
        chat = mem.conversation("c")
        acknowledged = fill(chat, "first")
        assert len(acknowledged) > 20
        assert_kept(chat, acknowledged)
        assert mem.space("default").recall("first7")[0].message == acknowledged[7]
        assert (mem.ready().ready, mem.ready().reason) == (False, "the disk is full; make room")
        ballast.unlink()
        assert mem.ready().ready
        acknowledged += [chat.add("user", f"again{n} {WORDS}") for n in range(10)]
        assert_kept(chat, acknowledged)
        mem.flush()
        healthy(mem)
    with Memory(path, worker=False) as mem:
        assert_kept(mem.conversation("c"), acknowledged)
        assert mem.space("default").recall("again9")[0].message == acknowledged[-1]
        healthy(mem)
    intact()


@pytest.mark.req("A21")
def test_threads_that_share_a_commit_lose_no_acknowledged_message_on_a_full_disk(disk, path, healthy):
    ballast = disk / "ballast"
    ballast.write_bytes(bytes(1_000_000))
    acknowledged: list[Message] = []
    with Memory(path) as mem:
        chat = mem.conversation("c")
        threads = [
            threading.Thread(target=lambda n=n: acknowledged.extend(fill(chat, f"thread{n}x"))) for n in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert_kept(chat, acknowledged)
        ballast.unlink()
        acknowledged.append(chat.add("user", "room again"))
        mem.flush()
        assert_kept(chat, acknowledged)
        healthy(mem)


def test_add_many_stores_all_messages_or_none_when_the_disk_fills_up(disk, path):
    (disk / "ballast").write_bytes(bytes(2_000_000))
    with Memory(path, worker=False) as mem:
        chat = mem.conversation("c")
        first = chat.add("user", "the first")
        with pytest.raises(StoreFull):
            chat.add_many({"role": "user", "content": f"number {n} {WORDS}"} for n in range(3_000))
        assert chat.messages() == [first]
        assert chat.info().messages == 1


def test_only_the_message_larger_than_the_disk_is_refused(disk, path):
    (disk / "ballast").write_bytes(bytes(2_000_000))
    with Memory(path, worker=False) as mem:
        chat = mem.conversation("c")
        with pytest.raises(StoreFull):
            chat.add("user", WORDS * 5_000)
        assert chat.messages() == []
        assert chat.add("user", "a short one").seq == 0


def test_a_store_cannot_be_created_on_a_full_disk(disk, path):
    (disk / "ballast").write_bytes(bytes(3 << 20))
    with pytest.raises(StoreFull):
        Memory(path, worker=False)
    (disk / "ballast").unlink()
    with Memory(path, worker=False) as mem:
        assert mem.conversation("c").add("user", "words").seq == 0


@pytest.mark.req("B16")
def test_an_export_to_a_full_disk_leaves_no_files(disk, tmp_path):
    with Memory(tmp_path / "elsewhere.db", worker=False) as mem:
        mem.conversation("c").add("user", WORDS * 5_000)
        (disk / "ballast").write_bytes(bytes(2_000_000))
        with pytest.raises((AforesaidError, OSError)):
            mem.space("default").export(disk / "out")
    assert [file.name for file in disk.iterdir()] == ["ballast"]


@pytest.mark.req("X18")
def test_a_store_on_a_disk_without_room_is_not_ready_before_a_write_fails(disk, path):
    with Memory(path, worker=False) as mem:
        assert mem.ready().ready
        ballast = disk / "ballast"
        with pytest.raises(OSError, match="No space left"):
            ballast.write_bytes(bytes(3 << 20))
        assert (mem.ready().ready, mem.ready().store) == (False, False)
        ballast.unlink()
        assert mem.ready().ready


@pytest.mark.req("X18")
def test_one_message_larger_than_the_disk_leaves_the_store_ready(disk, path):
    Memory(path, worker=False).close()  # the tables are in the file, and the log is empty
    with Memory(path, worker=False) as mem:
        with pytest.raises(StoreFull):
            mem.conversation("c").add("user", WORDS * 12_000)
        assert mem.ready().ready
        assert sorted(file.name for file in disk.iterdir()) == ["memory.db", "memory.db-shm", "memory.db-wal"]
