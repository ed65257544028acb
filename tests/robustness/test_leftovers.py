"""Tests that processes killed half-way leave no plaintext behind once the store is opened again."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from aforesaid import Memory

SECRET = "the spare key is under the third flowerpot"


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files of this process and its children."""
    folder = tmp_path / "room"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def told(path: Path) -> Path:
    """A store with two thousand messages."""
    with Memory(path, worker=False, embedder="none") as mem:
        mem.conversation("c").add_many({"role": "user", "content": f"{n}: {SECRET}"} for n in range(2_000))
    return path


def leftovers(folder: Path, *stores: Path) -> list[Path]:
    """The files below a folder that hold the secret, besides these stores and their logs."""
    known = {f"{store}{end}" for store in stores for end in ("", "-wal", "-shm")}
    files = [file for file in folder.rglob("*") if file.is_file() and str(file) not in known]
    return [file for file in files if SECRET.encode() in file.read_bytes()]


def is_private(file: Path, top: Path) -> bool:
    """Returns whether only the owner can read a file: by its own mode, or by that of a folder above it."""
    return any(place.stat().st_mode & 0o077 == 0 for place in (file, *file.parents) if place.is_relative_to(top))


def kill(child) -> None:
    os.kill(child.process.pid, signal.SIGKILL)
    child.process.wait()


@pytest.mark.req("X19", "X21")
@pytest.mark.parametrize("verb", ["backup", "export", "copy", "restore"])
def test_a_killed_process_leaves_no_plaintext_after_the_next_start(told, start, room, tmp_path, verb):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    other = elsewhere / "other.db"
    stores = [told, other] if verb in ("copy", "restore") else [told]
    if verb == "restore":
        with Memory(told, worker=False) as mem:
            mem.backup(other)
    child = start("interrupted.py", verb, told, other)
    assert child.line() == "half"
    left = leftovers(tmp_path, *stores)
    if verb in ("export", "copy"):
        assert left != []
    with Memory(other if verb == "copy" else told, worker=False) as mem:
        assert leftovers(tmp_path, *stores) == left  # the process lives
        assert all(is_private(file, tmp_path) for file in left)
        kill(child)
        (found,) = [finding for finding in mem.doctor() if finding.check == "leftover files"]
        assert (found.ok, found.count > 0) == (False, True)
    with Memory(other if verb == "copy" else told, worker=False) as mem:
        assert [finding for finding in mem.doctor() if not finding.ok] == []
    assert leftovers(tmp_path, *stores) == []
    names = [str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*")]
    assert [name for name in names if ".part" in name or "-tmp" in name] == []
    assert list(room.iterdir()) == []


@pytest.mark.req("X18")
def test_the_doctor_removes_what_a_killed_process_left(told, start, room, tmp_path):
    with Memory(told, worker=False) as mem:
        child = start("interrupted.py", "backup", told, tmp_path / "b.db")
        assert child.line() == "half"
        assert [finding for finding in mem.doctor() if not finding.ok] == []
        kill(child)
        (wrong,) = [finding for finding in mem.doctor(repair=True) if not finding.ok]
        assert (wrong.check, wrong.count, wrong.repaired) == ("leftover files", 1, True)
        assert re.search(r"\.b\.db-\w+\.part", wrong.detail)
        assert [finding for finding in mem.doctor() if not finding.ok] == []
    assert sorted(file.name for file in tmp_path.iterdir()) == ["memory.db", "room"]


@pytest.mark.req("X18")
def test_stores_without_a_file_share_a_private_folder(start, room, tmp_path, told):
    with Memory(":memory:", worker=False) as other:
        with Memory(told, worker=False) as mem:
            mem.copy_to(other)
        folders: list[int] = []

        def look(_done: int, _total: int) -> None:
            folders.extend(folder.stat().st_mode & 0o777 for folder in room.iterdir())

        other.space("default").export(tmp_path / "out", progress=look)
        assert set(folders) == {0o700}
    assert list(room.iterdir()) == []


@pytest.mark.req("X19", "X21")
def test_a_killed_server_leaves_no_half_sent_upload(told, room, tmp_path):
    command = [sys.executable, "-m", "aforesaid", "serve", "--store", str(told), "--port", "0"]
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, **output) as server, ExitStack() as stack:
        try:
            assert server.stdout is not None
            port = next(int(found[1]) for line in server.stdout if (found := re.search(r"127\.0\.0\.1:(\d+)", line)))
            request = stack.enter_context(closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)))
            request.putrequest("POST", "/api/memory/import-chats?space=default")
            request.putheader("Content-Type", "application/octet-stream")
            request.putheader("Content-Length", "1000000")
            request.endheaders(SECRET.encode() * 2_000)
            deadline = time.monotonic() + 30
            while not leftovers(tmp_path, told) and time.monotonic() < deadline:
                time.sleep(0.01)
            left = leftovers(tmp_path, told)
            assert len(left) == 1
            assert all(is_private(file, tmp_path) for file in left)
        finally:
            server.kill()
    Memory(told, worker=False).close()
    assert leftovers(tmp_path, told) == []
    kept = [file.name for file in tmp_path.iterdir() if file.name != "memory.db-server"]  # where hooks find a server
    assert sorted(kept) == ["memory.db", "room"]
