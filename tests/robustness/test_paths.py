"""Tests that an invalid store path fails with a helpful error and leaves existing files unchanged."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from aforesaid import AforesaidError, InvalidInput, Memory, SchemaTooNew, StoreDamaged, StoreError, WrongKey


def everything(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def sqlite(path: Path, *statements: str) -> Path:
    connection = apsw.Connection(str(path))
    for statement in statements:
        connection.execute(statement).fetchall()
    connection.close()
    return path


def test_a_folder_is_refused_and_the_error_suggests_a_file(tmp_path):
    with pytest.raises(InvalidInput, match=r"is a directory; name a file in it.*memory\.db"):
        Memory(tmp_path)


def test_a_missing_folder_is_refused_and_not_created(tmp_path):
    with pytest.raises(InvalidInput, match="does not exist; make it first"):
        Memory(tmp_path / "missing" / "memory.db")
    assert everything(tmp_path) == {}


def test_an_unexpanded_tilde_is_named_in_the_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match="`~` is not expanded: name the whole path"):
        Memory("~/memory.db")
    assert not everything(tmp_path)


def test_a_path_whose_parent_is_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("a letter")
    with pytest.raises(AforesaidError):
        Memory(tmp_path / "file" / "memory.db")


@pytest.mark.parametrize(
    "name", ["", "nul\0byte", "\ud800", "n" * 300, "n" * 5000], ids=["empty", "nul", "half", "long", "endless"]
)
def test_an_invalid_path_is_refused(tmp_path, name, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AforesaidError):
        Memory(name)


@pytest.mark.parametrize(
    "name", ["sp ace", "quo'te\"", "per%20cent", "que?ry#part", "file:x?mode=ro", "new\nline", "😀", "-rf"]
)
def test_file_names_with_special_characters_are_accepted(tmp_path, name, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Memory(name, worker=False) as mem:
        mem.conversation("c").add("user", "words")
    assert os.listdir(tmp_path) == [name]
    with Memory(tmp_path / name, worker=False) as mem:
        assert mem.status().messages == 1


@pytest.mark.parametrize(
    "content",
    [os.urandom(10_000), b"a letter to a friend", b"SQLite format 3\0" + os.urandom(5_000)],
    ids=["random", "text", "header"],
)
def test_a_file_that_is_not_a_database_is_refused_and_unchanged(path, tmp_path, content):
    path.write_bytes(content)
    with pytest.raises((StoreDamaged, WrongKey), match=r"name another file|restore a backup|no SQLite database"):
        Memory(path)
    assert everything(tmp_path) == {str(path): content}


def test_an_empty_file_becomes_a_store(path):
    path.touch()
    with Memory(path, worker=False) as mem:
        assert mem.conversation("c").add("user", "words").seq == 0


FOREIGN = {
    "notes": ["CREATE TABLE notes (text)", "INSERT INTO notes VALUES ('buy milk')"],
    "wal": ["PRAGMA journal_mode = wal", "CREATE TABLE notes (text)"],
    "view": ["CREATE VIEW answer AS SELECT 42"],
    "old-migrations": ["CREATE TABLE migrations (id INTEGER PRIMARY KEY, migration TEXT, batch INTEGER)"],
    "dated-migrations": ["CREATE TABLE migrations (version INTEGER)", "INSERT INTO migrations VALUES (20240101)"],
    "same-migrations": ["CREATE TABLE migrations (version INTEGER)", "INSERT INTO migrations VALUES (1)"],
    "marked": ["PRAGMA application_id = 1196444487", "CREATE TABLE gpkg_contents (x)"],
}


@pytest.mark.parametrize("statements", FOREIGN.values(), ids=FOREIGN.keys())
def test_a_database_of_another_program_is_refused_and_unchanged(path, tmp_path, statements):
    sqlite(path, *statements)
    before = everything(tmp_path)
    with pytest.raises(StoreError, match="another program; name another file"):
        Memory(path)
    assert everything(tmp_path) == before


def test_a_database_that_another_program_writes_to_is_refused(path):
    sqlite(path, *FOREIGN["notes"])
    theirs = apsw.Connection(str(path))
    theirs.execute("BEGIN IMMEDIATE")
    theirs.execute("INSERT INTO notes VALUES ('and bread')")
    with pytest.raises(StoreError, match="another program; name another file"):
        Memory(path)
    theirs.execute("COMMIT")
    assert theirs.pragma("journal_mode") == "delete"
    theirs.close()


def test_a_store_of_a_newer_version_is_refused_and_unchanged(path, tmp_path):
    with Memory(path, worker=False) as mem:
        mem.conversation("c").add("user", "words")
    sqlite(path, "INSERT INTO migrations SELECT max(version) + 1, 'later', 0 FROM migrations")
    before = everything(tmp_path)
    with pytest.raises(SchemaTooNew, match="upgrade aforesaid"):
        Memory(path)
    assert everything(tmp_path) == before


def complaint(path: Path) -> str:
    """Opens, reads and checks a store; returns the error message or the doctor's findings."""
    try:
        with Memory(path, worker=False) as mem:
            mem.conversation("c").messages(300)
            return "; ".join(finding.detail for finding in mem.doctor() if not finding.ok)
    except StoreDamaged as exc:
        return str(exc)


@pytest.mark.req("X18")
@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.9])
def test_a_truncated_store_is_reported_as_damaged(path, share):
    with Memory(path, worker=False) as mem:
        mem.conversation("c").add_many({"role": "user", "content": f"number {n} is here"} for n in range(300))
        mem.flush()
    os.truncate(path, int(path.stat().st_size * share) // 512 * 512)
    assert re.search("restore a backup|name another file", complaint(path))


def test_a_failed_open_leaves_no_open_file(path):
    path.write_bytes(b"a letter to a friend")
    for _ in range(5):
        with pytest.raises(StoreDamaged):
            Memory(path)
    held = {
        os.readlink(f"/proc/self/fd/{fd}")
        for fd in os.listdir("/proc/self/fd")
        if os.path.exists(f"/proc/self/fd/{fd}")
    }
    assert str(path) not in held


@pytest.fixture
def public() -> Iterator[Path]:
    """Creates a folder that every user can enter, unlike pytest's temporary folder."""
    folder = Path(tempfile.mkdtemp(prefix="aforesaid-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


PERMISSIONS = {
    "read-only-file": (0o777, 0o444),
    "unreadable-file": (0o777, 0o000),
    "read-only-folder": (0o555, 0o666),
    "read-only-both": (0o555, 0o444),
    "new-file-in-read-only-folder": (0o555, None),
    "folder-nobody-may-enter": (0o000, 0o666),
}


@pytest.mark.parametrize(("folder_mode", "file_mode"), PERMISSIONS.values(), ids=PERMISSIONS.keys())
def test_missing_permissions_are_reported(public, start, folder_mode, file_mode):
    folder = public / "inside"
    folder.mkdir()
    path = folder / "memory.db"
    if file_mode is not None:
        with Memory(path, worker=False) as mem:
            mem.conversation("c").add("user", "words")
        path.chmod(file_mode)
    before = everything(folder)
    folder.chmod(folder_mode)
    name, message = json.loads(start("unprivileged.py", path).finish()[-1])
    folder.chmod(0o755)
    assert name == "StoreError", message
    assert "check" in message
    assert "permissions" in message or "written" in message
    assert everything(folder) == before
