"""Tests that backups are consistent snapshots and that restores check them and never replace a store silently."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import apsw
import pytest

from aforesaid import AsyncMemory, InvalidInput, Memory, NotFound, SchemaTooNew, StoreBusy, StoreDamaged, StoreError

pytestmark = pytest.mark.req("X19")


@pytest.fixture
def anyio_backend():
    return "asyncio"


def told(memory: Memory) -> Memory:
    """Fills a store with records of each kind."""
    alice = memory.space("alice")
    alice.conversation("trip").add_many({"role": "user", "content": f"Platform {n} in Lisbon."} for n in range(40))
    alice.conversation("trip").pin("Budget 900 €")
    alice.remember("Prefers window seats")
    memory.space("bob").conversation("c").add("user", "I moved to Porto.")
    memory.flush()
    return memory


def words(memory: Memory) -> dict[str, list[str]]:
    spaces = [memory.space(info.id) for info in memory.spaces()]
    chats = [space.conversation(info.id) for space in spaces for info in space.conversations()]
    return {f"{chat.space}/{chat.id}": [message.text for message in chat.messages(999)] for chat in chats}


def files(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def damage(path: Path) -> None:
    """Overwrites half of the pages of the messages table: the file opens, but text is lost."""
    connection = apsw.Connection(str(path))
    found = connection.execute("SELECT pageno FROM dbstat WHERE name = 'messages' AND pagetype = 'leaf'").fetchall()
    connection.close()
    with path.open("r+b") as file:
        for (page,) in found[::2]:
            file.seek((page - 1) * 4096)
            file.write(b"\x55" * 2048)


@pytest.mark.parametrize("memory", ["file", "memory"], indirect=True)
def test_a_backup_is_a_healthy_store(memory, tmp_path, open_memory):
    told(memory)
    place = tmp_path / "copies" / "one.db"
    place.parent.mkdir()
    seen: list[tuple[int, int]] = []
    made = memory.backup(place, progress=lambda done, total: seen.append((done, total)))
    assert (made.spaces, made.conversations, made.messages, made.path) == (2, 2, 41, str(place))
    assert made.bytes == place.stat().st_size
    assert seen[-1][0] == seen[-1][1] > 1
    assert files(place.parent) == ["one.db"]
    copy = open_memory(str(place))
    assert words(copy) == words(memory)
    assert [finding for finding in copy.doctor() if not finding.ok] == []
    assert copy.space("alice").recall("window seats")[0].text == memory.space("alice").recall("window seats")[0].text


def test_writes_during_a_backup_are_not_in_the_backup(open_memory, tmp_path):
    memory, other = told(open_memory()), open_memory()
    other.space("alice").conversation("long").add_many(
        {"role": "user", "content": f"{n} " + "the river runs past the mill " * 200} for n in range(800)
    )
    before = words(memory)
    written: list[str] = []

    def write(done: int, total: int) -> None:
        written.append(other.space("bob").conversation("c").add("user", f"written at {done} of {total}").id)

    made = memory.backup(tmp_path / "b.db", progress=write)
    assert len(written) > 1
    assert words(open_memory(str(tmp_path / "b.db"))) == before
    assert made.messages == sum(map(len, before.values()))


def test_a_backup_does_not_overwrite_an_existing_file_without_force(open_memory, path, tmp_path):
    memory = told(open_memory())
    taken = tmp_path / "taken.db"
    taken.write_text("precious")
    with pytest.raises(InvalidInput, match="exists already"):
        memory.backup(taken)
    assert taken.read_text() == "precious"
    assert memory.backup(taken, force=True).messages == 41
    assert len(words(open_memory(str(taken)))) == 2
    for bad in (tmp_path, tmp_path / "no" / "where.db", path, f"{path}-wal", f"{path}-shm"):
        with pytest.raises(InvalidInput):
            memory.backup(bad, force=True)
    os.symlink(path, tmp_path / "link.db")
    os.link(path, tmp_path / "hard.db")
    for same in ("link.db", "hard.db"):
        with pytest.raises(InvalidInput, match="store itself"):
            memory.backup(tmp_path / same, force=True)
    assert [finding for finding in memory.doctor() if not finding.ok] == []


def test_a_backup_does_not_overwrite_an_open_store(open_memory, tmp_path):
    memory, other = told(open_memory()), open_memory(str(tmp_path / "other.db"))
    other.conversation("c").add("user", "mine")
    with pytest.raises(InvalidInput, match="open, or was not closed"):
        memory.backup(tmp_path / "other.db", force=True)
    assert words(other) == {"default/c": ["mine"]}


def test_a_backup_has_the_file_permissions_of_the_store(open_memory, path, tmp_path):
    memory = open_memory()
    os.chmod(path, 0o640)
    memory.backup(tmp_path / "b.db")
    assert (tmp_path / "b.db").stat().st_mode & 0o777 == 0o640


def test_a_failed_backup_leaves_no_file(open_memory, tmp_path):
    memory = told(open_memory())
    folder = tmp_path / "copies"
    folder.mkdir()

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.backup(folder / "b.db", progress=stop)
    assert files(folder) == []


def test_a_backup_of_a_damaged_store_does_not_replace_a_good_backup(open_memory, path, tmp_path):
    with open_memory() as memory:
        told(memory).backup(tmp_path / "b.db")
    good = (tmp_path / "b.db").read_bytes()
    damage(Path(path))
    with pytest.raises(StoreDamaged):
        open_memory().backup(tmp_path / "b.db", force=True)
    assert (tmp_path / "b.db").read_bytes() == good


@pytest.mark.parametrize("memory", ["file", "memory"], indirect=True)
def test_a_backup_is_restored_into_a_new_store(memory, tmp_path, open_memory):
    told(memory)
    memory.backup(tmp_path / "b.db")
    made = Memory.restore(tmp_path / "b.db", tmp_path / "new.db")
    assert (made.path, made.messages, made.mended) == (str(tmp_path / "new.db"), 41, ())
    assert words(open_memory(str(tmp_path / "new.db"))) == words(memory)


def test_a_restore_does_not_replace_a_store_without_force_or_while_it_is_open(open_memory, path, tmp_path):
    memory = told(open_memory())
    memory.backup(tmp_path / "b.db")
    memory.conversation("later").add("user", "after the backup")
    now = words(memory)
    with pytest.raises(InvalidInput, match="exists already"):
        Memory.restore(tmp_path / "b.db", path)
    with pytest.raises(StoreBusy, match="has it open"):
        Memory.restore(tmp_path / "b.db", path, force=True)
    assert words(memory) == now
    memory.close()
    assert Memory.restore(tmp_path / "b.db", path, force=True).messages == 41
    restored = open_memory()
    assert words(restored) == {name: said for name, said in now.items() if name != "default/later"}
    assert [finding for finding in restored.doctor() if not finding.ok] == []
    restored.conversation("later").add("user", "it goes on")
    assert [file for file in files(tmp_path) if file.endswith(".part")] == []


def test_a_restore_discards_the_wal_of_a_killed_process(open_memory, path, tmp_path):
    memory = told(open_memory())
    memory.backup(tmp_path / "b.db")
    memory.conversation("later").add("user", "in the log only")
    for end in ("", "-wal"):
        shutil.copy(path + end, f"{tmp_path / 'dead.db'}{end}")  # the files that a killed process leaves
    Memory.restore(tmp_path / "b.db", tmp_path / "dead.db", force=True)
    assert "default/later" not in words(open_memory(str(tmp_path / "dead.db")))
    (tmp_path / "alone.db-wal").write_bytes((tmp_path / "memory.db-wal").read_bytes())
    with pytest.raises(InvalidInput, match="left of another store"):
        Memory.restore(tmp_path / "b.db", tmp_path / "alone.db")


def test_a_damaged_newer_foreign_or_missing_backup_is_refused(open_memory, path, tmp_path):
    told(open_memory()).backup(tmp_path / "good.db")
    (tmp_path / "text.db").write_text("no database at all, but rather long " * 200)
    (tmp_path / "empty.db").touch()
    apsw.Connection(str(tmp_path / "foreign.db")).execute("CREATE TABLE t (x)")
    for name in ("broken", "newer", "gap"):
        shutil.copy(tmp_path / "good.db", tmp_path / f"{name}.db")
    damage(tmp_path / "broken.db")
    apsw.Connection(str(tmp_path / "newer.db")).execute("INSERT INTO migrations VALUES (9999, 'later', 0)")
    apsw.Connection(str(tmp_path / "gap.db")).execute("UPDATE messages SET seq = seq + 5 WHERE seq = 39")
    expected = {
        "text": StoreDamaged, "empty": StoreDamaged, "foreign": StoreError, "broken": StoreDamaged,
        "newer": SchemaTooNew, "gap": StoreDamaged, "missing": NotFound,
    }  # fmt: skip
    there = open_memory(str(tmp_path / "store.db"))
    there.conversation("c").add("user", "mine")
    there.close()
    before = (tmp_path / "store.db").read_bytes()
    for name, error in expected.items():
        for place in ("new.db", "store.db"):
            with pytest.raises(error):
                Memory.restore(tmp_path / f"{name}.db", tmp_path / place, force=True)
    assert (tmp_path / "store.db").read_bytes() == before
    assert "new.db" not in files(tmp_path)
    assert [file for file in files(tmp_path) if ".part" in file] == []


def test_a_restore_repairs_inconsistent_indexes_of_the_backup(open_memory, path, tmp_path):
    told(open_memory()).backup(tmp_path / "b.db")
    broken = apsw.Connection(str(tmp_path / "b.db"))
    broken.execute("DELETE FROM vectors")
    broken.execute("DELETE FROM vector_blocks")
    broken.execute("UPDATE conversations SET messages = messages + 1")
    broken.close()
    made = Memory.restore(tmp_path / "b.db", tmp_path / "new.db")
    assert "conversation counts" in made.mended
    memory = open_memory(str(tmp_path / "new.db"))
    memory.flush()
    assert [finding for finding in memory.doctor() if not finding.ok] == []


def test_a_restore_does_not_replace_a_file_that_is_not_a_database(open_memory, tmp_path):
    told(open_memory()).backup(tmp_path / "b.db")
    (tmp_path / "store.db").write_text("a store once " * 1000)
    with pytest.raises(StoreError, match="move it away"):
        Memory.restore(tmp_path / "b.db", tmp_path / "store.db", force=True)
    assert (tmp_path / "store.db").read_text().startswith("a store once")


def test_a_restore_does_not_replace_a_database_of_another_program(open_memory, tmp_path):
    told(open_memory()).backup(tmp_path / "b.db")
    foreign = apsw.Connection(str(tmp_path / "photos.db"))
    foreign.execute("CREATE TABLE photos (x)")
    foreign.close()
    with pytest.raises(StoreError, match="another program"):
        Memory.restore(tmp_path / "b.db", tmp_path / "photos.db", force=True)


@pytest.mark.parametrize("store", ["", ":memory:", "postgresql://host/db"])
def test_a_restore_into_anything_but_a_file_is_refused(open_memory, tmp_path, store):
    told(open_memory()).backup(tmp_path / "b.db")
    with pytest.raises(InvalidInput):
        Memory.restore(tmp_path / "b.db", store)


async def test_async_backup_and_restore(path, tmp_path):
    async with AsyncMemory(path, environment={}) as memory:
        await memory.conversation("c").add("user", "hello")
        await memory.backup(tmp_path / "b.db")
    assert (await AsyncMemory.restore(tmp_path / "b.db", tmp_path / "new.db")).messages == 1


def test_a_backup_that_is_open_is_restored_with_its_latest_writes(open_memory, tmp_path):
    told(open_memory()).backup(tmp_path / "b.db")
    with Memory(tmp_path / "b.db", worker=False, environment={}) as used:
        used.conversation("c").add("user", "written into the backup")
        assert Memory.restore(tmp_path / "b.db", tmp_path / "new.db").messages == 42
