"""Tests stores whose files another program removes, moves, replaces or overwrites: `rm`, `mv` and `cp`."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

from aforesaid import Memory, StoreError, StoreMoved

REMOVED = ["memory.db*", "memory.db", "memory.db-wal", "memory.db-shm"]


def shell(command: str, folder: Path) -> None:
    subprocess.run(command, shell=True, check=True, cwd=folder)


def texts(path: Path) -> list[str]:
    with Memory(path, worker=False) as mem:
        assert [finding for finding in mem.doctor() if not finding.ok] == []
        return [message.text for message in mem.conversation("c").messages(1_000)]


@pytest.fixture
def backup(path: Path) -> Path:
    """Stores ten messages, backs them up, and stores fifty more. Returns the backup."""
    place = path.with_name("backup.db")
    with Memory(path, worker=False) as mem:
        chat = mem.conversation("c")
        chat.add_many({"role": "user", "content": f"old {n}"} for n in range(10))
        mem.flush()
        mem.backup(place)
        chat.add_many({"role": "user", "content": f"new {n} " + "words " * 200} for n in range(50))
    return place


OLD = [f"old {n}" for n in range(10)]


@pytest.mark.req("X21")
@pytest.mark.parametrize("names", REMOVED)
def test_a_message_is_not_acknowledged_when_the_files_are_removed(path, names):
    with Memory(path, worker=False) as mem:
        chat = mem.conversation("c")
        chat.add("user", "before")
        assert mem.ready().ready
        shell(f"rm {names}", path.parent)
        with pytest.raises(StoreMoved, match="open the store again"):
            chat.add("user", "after")
        ready = mem.ready()
        assert (ready.ready, ready.store) == (False, False)
        assert "removed, moved or replaced" in (ready.reason or "")
        with pytest.raises(StoreMoved):
            mem.space("default").recall("before")


@pytest.mark.req("X21")
@pytest.mark.parametrize("names", REMOVED)
def test_a_reader_of_removed_files_does_not_answer(path, names):
    with Memory(path, worker=False) as writer, Memory(path, worker=False) as mem:
        writer.conversation("c").add("user", "before")
        assert len(mem.conversation("c").messages()) == 1
        shell(f"rm {names}", path.parent)
        assert not mem.ready().ready
        with pytest.raises(StoreMoved):
            mem.conversation("c").messages()


@pytest.mark.req("X21")
def test_acknowledged_messages_survive_the_removal_of_the_log(path):
    with Memory(path, worker=False) as mem:
        for n in range(20):
            mem.conversation("c").add("user", f"number {n}")
        shell("rm memory.db-wal", path.parent)
        with pytest.raises(StoreMoved):
            mem.conversation("c").add("user", "refused")
    assert texts(path) == [f"number {n}" for n in range(20)]


@pytest.mark.req("X21")
def test_closing_a_removed_store_leaves_the_new_one_of_that_name_alone(path):
    old = Memory(path, worker=False)
    old.conversation("c").add("user", "old")
    shell("rm memory.db*", path.parent)
    with Memory(path, worker=False) as new:
        new.conversation("c").add("user", "new 1")
        old.close()
        assert path.with_name("memory.db-wal").exists()
        new.conversation("c").add("user", "new 2")
    assert texts(path) == ["new 1", "new 2"]


@pytest.mark.req("X21", "X19")
@pytest.mark.parametrize("notices", [True, False])
def test_a_backup_that_replaces_an_open_store_stays_as_it_is(path, backup, notices):
    content = backup.read_bytes()
    with Memory(path, worker=False) as mem:
        mem.conversation("c").add("user", "newest")
        shell("mv backup.db memory.db", path.parent)
        if notices:
            assert not mem.ready().ready
            with pytest.raises(StoreMoved):
                mem.conversation("c").add("user", "refused")
    assert path.read_bytes() == content
    assert texts(path) == OLD


@pytest.mark.req("X21", "X19")
def test_a_store_that_was_moved_away_keeps_every_acknowledged_message(path, backup):
    with Memory(path, worker=False) as mem:
        mem.conversation("c").add("user", "newest")
        shell("mv memory.db old.db && mv backup.db memory.db", path.parent)
        with pytest.raises(StoreMoved):
            mem.conversation("c").add("user", "refused")
    assert texts(path) == OLD
    assert texts(path.with_name("old.db"))[-1] == "newest"


@pytest.mark.req("X21", "X19")
def test_nobody_opens_a_backup_with_the_log_of_a_running_process(path, backup):
    content = backup.read_bytes()
    with Memory(path, worker=False) as mem:
        mem.conversation("c").add("user", "newest")
        shell("mv backup.db memory.db", path.parent)
        with pytest.raises(StoreError, match=r"memory.db-wal.* belongs to another file"):
            Memory(path, worker=False)
    assert path.read_bytes() == content


def kill_a_writer(path: Path) -> None:
    code = (
        "import sys, time; from aforesaid import Memory; mem = Memory(sys.argv[1], worker=False)\n"
        "for n in range(30): mem.conversation('c').add('user', f'late {n} ' + 'words ' * 500)\n"
        "print('done', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"done\n"
        os.kill(child.pid, signal.SIGKILL)


@pytest.mark.req("X21", "X19")
@pytest.mark.parametrize("command", ["mv backup.db memory.db", "cp backup.db memory.db"])
def test_the_log_of_a_killed_process_is_not_written_into_a_backup(path, backup, command):
    content = backup.read_bytes()
    kill_a_writer(path)
    shell(command, path.parent)
    for _ in range(2):
        with pytest.raises(StoreError, match=r"memory.db-wal.* belongs to another file"):
            Memory(path, worker=False)
    with pytest.raises(StoreError, match=r"memory.db-wal.* belongs to another file"):
        Memory.restore(path, path.with_name("other.db"))
    assert path.read_bytes() == content
    shell("mv memory.db-wal aside", path.parent)
    assert texts(path) == OLD


@pytest.mark.req("X21", "X19")
def test_a_backup_copied_over_an_open_store_stays_as_it_is(path, backup):
    content = backup.read_bytes()
    with Memory(path, worker=False) as mem:
        mem.conversation("c").add("user", "newest")
        shutil.copyfile(backup, path)
        with pytest.raises(StoreMoved):
            mem.conversation("c").add("user", "refused")
        assert not mem.ready().ready
    assert path.read_bytes() == content
    with pytest.raises(StoreError, match=r"memory.db-wal.* belongs to another file"):
        Memory(path, worker=False)
    shell("rm memory.db-wal", path.parent)
    assert texts(path) == OLD


@pytest.mark.req("X21")
def test_a_killed_store_copied_together_with_its_log_opens_with_every_message(path, backup):
    kill_a_writer(path)
    folder = path.with_name("copied")
    folder.mkdir()
    for file in path.parent.glob("memory.db*"):
        shutil.copyfile(file, folder / file.name)
    assert len(texts(folder / "memory.db")) == 90
    assert len(texts(path)) == 90


def test_sqlite_replays_a_log_over_any_file_of_that_name(path, backup):
    """Shows the danger: SQLite itself does not compare a log with its file."""
    kill_a_writer(path)
    shell("mv backup.db memory.db", path.parent)
    connection = apsw.Connection(str(path))
    connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    found = connection.execute("PRAGMA integrity_check(1)").fetchall()
    connection.close()
    assert found != [("ok",)]


@pytest.mark.req("X21")
def test_a_log_without_its_file_is_not_deleted(path, backup):
    kill_a_writer(path)
    shell("mv memory.db elsewhere.db", path.parent)
    with pytest.raises(StoreError, match="put its file back"):
        Memory(path, worker=False)
    shell("mv elsewhere.db memory.db", path.parent)
    assert len(texts(path)) == 90


@pytest.mark.req("X21")
def test_many_logs_of_two_processes_never_look_like_those_of_another_file(path):
    """Each round begins a new log; a killed process leaves its own behind."""
    with Memory(path, worker=False) as first:
        for n in range(12):
            with Memory(path, worker=False) as second:
                for mem in (first, second):
                    mem.conversation("c").add("user", "words " * 3_000, id=f"{n}-{mem is first}")
                assert first.engine.store.database.truncate_log()
            if n % 4 == 3:
                kill_a_writer(path)
    assert len(texts(path)) == 24 + 90


@pytest.mark.req("X21")
def test_frequent_new_logs_never_look_like_those_of_another_file(path):
    stored: list[str] = []

    def add(who: int) -> None:
        for n in range(15):
            with Memory(path, embedder="none") as mem:
                for m in range(5):
                    stored.append(mem.conversation("c").add("user", f"{who} {n} {m}").text)
                    mem.engine.store.database.truncate_log()  # the next commit begins a new log
                assert mem.ready().ready
                mem.space("default").recall("words")

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(add, range(3)))
    assert sorted(texts(path)) == sorted(stored)
    assert len(stored) == 3 * 15 * 5


def test_a_store_behind_a_link_and_a_relative_path_is_found_again(path, monkeypatch, tmp_path):
    Memory(path, worker=False).close()
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.db"
    link.symlink_to(path)
    monkeypatch.chdir(path.parent)
    with Memory(link, worker=False) as mem, Memory(path.name, worker=False) as other:
        monkeypatch.chdir("/")
        mem.conversation("c").add("user", "through the link")
        other.conversation("c").add("user", "by a relative path")
        assert mem.ready().ready
        assert other.ready().ready
        link.unlink()
        link.symlink_to(path.with_name("backup.db"))
        with pytest.raises(StoreMoved):
            mem.conversation("c").add("user", "refused")
        other.conversation("c").add("user", "the file itself is in its place")
