"""Tests that a key encrypts a store, and that every operation works on an encrypted one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlcipher3
from click.testing import CliRunner
from tests.cli.conftest import command
from tests.conftest import sql

from aforesaid import InvalidInput, Memory, NotFound, StoreBusy, StoreDamaged, WrongKey

pytestmark = pytest.mark.req("X23")

KEY = "correct horse battery staple"
TEXT = "Zephyrine keeps the tickets in the marmalade drawer."
Open = Callable[..., Memory]


def fill(memory: Memory, messages: int = 5) -> None:
    for number in range(messages):
        memory.conversation("trip").add("user", f"{TEXT} {number}")
    memory.flush()


def texts(memory: Memory) -> list[str]:
    return [message.text for message in memory.conversation("trip").messages()]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def healthy(memory: Memory) -> bool:
    return all(finding.ok for finding in memory.doctor())


def plain_python(code: str, *arguments: str) -> str:
    """Runs a program with the plain apsw, and returns what it prints."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    program = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(program, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_sqlcipher_opens_the_store_with_its_passphrase_and_not_without(open_memory: Open, path: str) -> None:
    with open_memory(key=KEY) as memory:
        fill(memory)
    other = sqlcipher3.connect(path)
    other.execute(f"PRAGMA key = '{KEY}'")
    assert other.execute("PRAGMA cipher_integrity_check").fetchall() == []
    found = [text for (text,) in other.execute("SELECT text FROM messages ORDER BY seq")]
    other.close()
    assert found == [f"{TEXT} {number}" for number in range(5)]
    for statement in ("PRAGMA key = 'wrong'", "PRAGMA cache_size = 100"):
        other = sqlcipher3.connect(path)
        with pytest.raises(sqlcipher3.DatabaseError):
            other.execute(statement).execute("SELECT * FROM messages")
        other.close()


def test_a_store_opens_with_the_passphrase_that_sqlcipher_gave_it(open_memory: Open, path: str) -> None:
    with open_memory(key=KEY) as memory:
        fill(memory)
    other = sqlcipher3.connect(path)
    other.execute(f"PRAGMA key = '{KEY}'")
    other.execute("PRAGMA journal_mode = delete")
    other.execute("PRAGMA rekey = 'of SQLCipher'")
    other.close()
    assert len(texts(open_memory(key="of SQLCipher"))) == 5


@pytest.mark.parametrize("form", ["bytes", "digits", "file of digits", "variable"])
def test_a_key_is_bytes_or_digits_or_a_file(open_memory: Open, tmp_path: Path, form: str) -> None:
    raw, file = os.urandom(32), tmp_path / "key"
    file.write_text(f"{raw.hex()}\n")
    with open_memory(key=raw) as memory:
        fill(memory)
    options = {
        "bytes": {"key": raw},
        "digits": {"key": raw.hex().upper()},
        "file of digits": {"key": file},
        "variable": {"environment": {"AFORESAID_KEY_FILE": str(file)}},
    }
    assert len(texts(open_memory(**options[form]))) == 5


def test_a_file_can_hold_a_passphrase(open_memory: Open, tmp_path: Path) -> None:
    with open_memory(key=KEY) as memory:
        fill(memory)
    (tmp_path / "key").write_bytes(KEY.encode() + b"\r\n")
    assert len(texts(open_memory(key=tmp_path / "key"))) == 5


@pytest.mark.parametrize("key", ["", " \n", b"short", 7, "nul\0"])
def test_an_invalid_key_is_refused_without_being_named(
    open_memory: Open, path: str, tmp_path: Path, key: object
) -> None:
    with pytest.raises(InvalidInput, match="key"):
        open_memory(key=key)
    for content in (b"", b"\xff\xfe\x00binary", b"x" * 5_000):
        (tmp_path / "key").write_bytes(content)
        with pytest.raises(InvalidInput, match="key"):
            open_memory(key=tmp_path / "key")
    with pytest.raises(InvalidInput, match="No such file"):
        open_memory(key=tmp_path / "missing")
    assert not Path(path).exists()


@pytest.mark.parametrize("killed", [False, True])
@pytest.mark.parametrize("key", ["another", b"another key of thirty-two bytes!", None])
def test_a_wrong_or_missing_key_is_refused_and_nothing_changes(
    open_memory: Open, tmp_path: Path, key: str | bytes | None, killed: bool
) -> None:
    memory = open_memory(key=KEY)
    fill(memory)
    if not killed:
        memory.close()
    (folder := tmp_path / "copy").mkdir()
    for name in ("memory.db", "memory.db-wal") if killed else ("memory.db",):  # the log has commits that the file lacks
        shutil.copy(tmp_path / name, folder)
    before, store = files(folder), folder / "memory.db"
    attempts = (
        lambda: open_memory(str(store), key=key),
        lambda: Memory.rekey(store, key=key, new_key="new"),
        lambda: Memory.restore(store, folder / "new.db", key=key),
    )
    for attempt in attempts:
        with pytest.raises(WrongKey, match="Nothing was changed"):
            attempt()
    assert files(folder) == before
    assert len(texts(open_memory(str(store), key=KEY))) == 5


def test_a_key_for_a_plain_file_is_refused_and_nothing_changes(open_memory: Open, path: str, tmp_path: Path) -> None:
    with open_memory() as memory:
        fill(memory)
    before = files(tmp_path)
    for attempt in (
        lambda: open_memory(key=KEY),
        lambda: open_memory(environment={"AFORESAID_KEY_FILE": __file__}),
        lambda: Memory.rekey(path, key=KEY, new_key="new"),
        lambda: Memory.restore(path, tmp_path / "new.db", key=KEY),
    ):
        with pytest.raises((WrongKey, InvalidInput)):
            attempt()
    assert files(tmp_path) == before


def test_plain_apsw_names_the_package_that_a_key_needs(open_memory: Open, path: str, tmp_path: Path) -> None:
    with open_memory(key=KEY) as memory:
        fill(memory)
    before = files(tmp_path)
    code = """if True:
        import sys
        from aforesaid import AforesaidError, Memory
        for key in (None, sys.argv[2]):
            try:
                Memory(sys.argv[1], key=key, environment={})
            except AforesaidError as exc:
                print(type(exc).__name__, exc)
    """
    missing, package = plain_python(code, path, KEY).splitlines()
    assert missing.startswith("WrongKey")
    assert package.startswith("InvalidInput")
    assert "pip install --force-reinstall --no-deps apsw-sqlite3mc" in package
    assert files(tmp_path) == before


def test_nothing_prints_the_key(open_memory: Open, path: str) -> None:
    with open_memory(key=KEY) as memory:
        fill(memory)
        seen = [repr(memory), repr(memory.engine.store.database), str(vars(memory)), repr(memory.status())]
    secret = "0123456789abcdef" * 4
    for attempt in (
        lambda: open_memory(key=f"{KEY}r"),
        lambda: open_memory(key=secret),
        lambda: Memory.rekey(path, key=secret, new_key=KEY),
        lambda: open_memory(key=secret.encode()),
    ):
        with pytest.raises((WrongKey, InvalidInput)) as caught:
            attempt()
        seen.append("".join(traceback.format_exception_only(caught.value)) + repr(caught.value.__cause__))
    assert not [text for text in seen if "staple" in text or "0123456789abcdef" in text]


def test_doctor_forget_and_verification_see_through_the_encryption(open_memory: Open, path: str) -> None:
    memory = open_memory(key=KEY)
    fill(memory)
    assert healthy(memory)
    assert next(iter(memory.space("default").recall("marmalade", 1))).text.startswith(TEXT)
    assert not memory.verify_erasure(f"{TEXT} 3").clean
    memory.space("default").forget(conversation="trip")
    memory.flush()
    assert memory.verify_erasure(f"{TEXT} 3").clean
    assert healthy(memory)


def test_verification_finds_a_text_in_a_free_page_of_the_file_and_of_the_log(open_memory: Open) -> None:
    memory = open_memory(key=KEY)
    sql(memory, "PRAGMA secure_delete = off")
    sql(memory, "CREATE TABLE scratch (text TEXT)")
    sql(memory, "INSERT INTO scratch VALUES (:text)", {"text": TEXT * 200})
    sql(memory, "DROP TABLE scratch")
    assert {place.where for place in memory.verify_erasure(TEXT).found} == {"memory.db-wal"}
    memory.engine.store.database.truncate_log()
    assert {place.where for place in memory.verify_erasure(TEXT).found} == {"memory.db"}


def test_a_backup_has_the_same_key_and_can_be_restored(open_memory: Open, path: str, tmp_path: Path) -> None:
    memory = open_memory(key=KEY)
    fill(memory)
    memory.backup(tmp_path / "backup.db")
    memory.conversation("trip").add("user", "later")
    with pytest.raises(StoreBusy):
        Memory.restore(tmp_path / "backup.db", path, force=True, key=KEY)
    memory.close()
    with pytest.raises(WrongKey):
        open_memory(str(tmp_path / "backup.db"))
    assert Memory.restore(tmp_path / "backup.db", tmp_path / "new.db", key=KEY).messages == 5
    assert Memory.restore(tmp_path / "backup.db", path, force=True, key=KEY).messages == 5
    for store in (path, str(tmp_path / "new.db"), str(tmp_path / "backup.db")):
        with open_memory(store, key=KEY) as restored:
            assert len(texts(restored)) == 5
            assert healthy(restored)


def test_a_backup_does_not_replace_a_store_with_another_key(open_memory: Open, path: str, tmp_path: Path) -> None:
    with open_memory(key=KEY) as memory:
        fill(memory)
        memory.backup(tmp_path / "backup.db")
    Memory.rekey(path, key=KEY, new_key="another")
    with pytest.raises(WrongKey):
        Memory.restore(tmp_path / "backup.db", path, force=True, key=KEY)
    assert len(texts(open_memory(key="another"))) == 5


def test_a_store_is_copied_to_one_with_another_key_and_to_a_plain_one(open_memory: Open, tmp_path: Path) -> None:
    memory = open_memory(key=KEY)
    fill(memory)
    for key in ("another", None):
        other = open_memory(str(tmp_path / f"{key}.db"), key=key)
        memory.copy_to(other, settle=other.flush)
        assert texts(other) == texts(memory)


def test_damage_is_reported_as_damage(open_memory: Open, path: str) -> None:
    with open_memory(key=KEY) as memory:
        fill(memory, 50)
        (root,) = sql(memory, "SELECT rootpage FROM sqlite_master WHERE name = 'messages'")
    content = bytearray(Path(path).read_bytes())
    content[root[0] * 4096 - 99] ^= 1
    Path(path).write_bytes(content)
    memory = open_memory(key=KEY)
    with pytest.raises(StoreDamaged):
        texts(memory)
    with pytest.raises(StoreDamaged):
        memory.backup(f"{path}-copy")


def test_processes_that_create_a_store_together_share_it(path: str, open_memory: Open) -> None:
    code = (
        "import sys; from aforesaid import Memory; m = Memory(sys.argv[1], key=sys.argv[2], worker=False);"
        "m.conversation('trip').add('user', sys.argv[3]); m.close()"
    )
    programs = [subprocess.Popen([sys.executable, "-c", code, path, KEY, f"from {n}"]) for n in range(4)]
    assert [program.wait(120) for program in programs] == [0] * 4
    assert sorted(texts(open_memory(key=KEY))) == [f"from {n}" for n in range(4)]


def test_the_commands_use_the_key_file_of_the_environment(
    open_memory: Open, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = tmp_path / "old.key", tmp_path / "new.key"
    old.write_text(KEY)
    new.write_text(os.urandom(32).hex())
    monkeypatch.setenv("AFORESAID_STORE", path)
    monkeypatch.setenv("AFORESAID_KEY_FILE", str(old))

    def run(*arguments: str, code: int = 0) -> str:
        done = CliRunner().invoke(command(), arguments)
        assert done.exit_code == code, done.output
        return done.output

    run("add", "trip", TEXT)
    run("backup", str(tmp_path / "backup.db"))
    assert "marmalade" in run("recall", "marmalade")
    run("rekey", "--new-key-file", str(new))
    assert "this key does not open it" in run("recall", "marmalade", code=6)
    run("restore", str(tmp_path / "backup.db"), str(tmp_path / "restored.db"))
    monkeypatch.setenv("AFORESAID_KEY_FILE", str(new))
    assert "marmalade" in run("recall", "marmalade")
    run("doctor")
    run("copy", path, str(tmp_path / "copied.db"))
    run("rekey", code=2)
    run("rekey", "--decrypt")
    assert Path(path).read_bytes().startswith(b"SQLite format 3\0")
    assert "not encrypted" in run("recall", "marmalade", code=6)


def test_the_example_of_the_page_prints_what_it_says(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "howto" / "encrypt.md").read_text("utf-8")
    (code,), (expected,) = (re.findall(rf"^```{kind}\n(.*?)^```$", page, re.M | re.S) for kind in ("py", "text"))
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (expected, "")


def test_there_is_nothing_to_rekey(path: str) -> None:
    with pytest.raises(NotFound):
        Memory.rekey(path, key=None, new_key=KEY)
    with pytest.raises(InvalidInput):
        Memory.rekey(path, key=None, new_key=None)
    assert not Path(path).exists()
