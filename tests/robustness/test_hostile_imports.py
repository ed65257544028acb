"""Tests that an import of hostile files ends soon, with little memory, and stops when its client leaves."""

from __future__ import annotations

import io
import json
import socket
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from tests.robustness.test_server import post
from tests.serving import Served, served

from aforesaid import Memory

pytestmark = [pytest.mark.req("X17", "X8"), pytest.mark.timeout(240)]

PATIENCE = 120.0
MB = 1 << 20
MAX_MEMORY = 1000  # megabytes that a hostile file may cost at most; the parsed values of one once took 5,000
FILE = {"Content-Type": "application/octet-stream"}
LARGE = 60 * MB
MESSAGES = 200_000  # take minutes to store


def zipped(files: dict[str, bytes], times: int = 1) -> bytes:
    """A ZIP file. Each name gets the content many times over."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            with archive.open(name, "w", force_zip64=True) as file:
                for _ in range(times):
                    file.write(content)
    return out.getvalue()


def many_files(number: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for place in range(number):
            archive.writestr(f"{place}.json", b"[]")
    return out.getvalue()


def bomb(name: str) -> bytes:
    return zipped({name: b"[" + b" " * (16 * MB - 1)}, times=32)  # 512 MB of spaces in 0.5 MB


HOSTILE = {
    "many empty lists": lambda: b"[" + b"[]," * (LARGE // 3) + b"[]]",
    "many empty lists in one": lambda: b"[[" + b"[]," * (LARGE // 3) + b"[]]]",
    "many empty objects in a field": lambda: b'{"messages": [' + b"{}," * (LARGE // 3) + b"{}]}",
    "many lines of empty objects": lambda: b"{}\n" * (LARGE // 3),
    "many numbers": lambda: b"[[" + b"1.5," * (LARGE // 4) + b"1]]",
    "spaces": lambda: b" " * LARGE + b"x",
    "a long string": lambda: b'["' + b"x" * LARGE,
    "a long number": lambda: b"[" + b"1" * LARGE,
    "open brackets": lambda: b"[" * LARGE,
    "a bomb": lambda: bomb("conversations.json"),
    "a bomb in an archive": lambda: zipped({"a.zip": bomb("conversations.json")}),
    "many bombs in an archive": lambda: zipped(
        dict.fromkeys((f"{n}.zip" for n in range(100)), zipped({"a.json": b" " * MB}, 100))
    ),
    "many files": lambda: many_files(60_000),
}
HOSTILE_SPACES = {
    "a bomb": lambda: bomb("messages.json"),
    "many files": lambda: many_files(60_000),
    "many empty lists": lambda: zipped({"manifest.json": b"[" + b"[]," * MB + b"[]]", "messages.json": b"[" * MB}),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Served]:
    with served(str(tmp_path_factory.mktemp("hostile") / "m.db")) as server:
        yield server


def peak_memory(server: Served) -> int:
    """The most memory that the server has used, in megabytes."""
    lines = Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) // 1024


def reset_peak(server: Served) -> None:
    Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")


def refused(server: Served, route: str, body: bytes) -> None:
    before = 0
    if sys.platform == "linux":
        reset_peak(server)
        before = peak_memory(server)
    answer = httpx2.post(f"{server.url}/api/memory/{route}", content=body, headers=FILE, timeout=PATIENCE)
    assert answer.status_code in (413, 422), answer.text
    if sys.platform == "linux":
        assert peak_memory(server) - before < MAX_MEMORY


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_export_is_refused(server, name):
    refused(server, "import-chats", HOSTILE[name]())


@pytest.mark.parametrize("name", HOSTILE_SPACES)
def test_a_hostile_archive_of_a_space_is_refused(server, name):
    refused(server, "import", HOSTILE_SPACES[name]())


def chat_lines(number: int) -> bytes:
    return b"".join(json.dumps({"role": "user", "content": f"number {n}"}).encode() + b"\n" for n in range(number))


def messages(memory: Memory) -> int:
    info = memory.space("big").info()
    return 0 if info is None else info.messages


@pytest.mark.parametrize("stored", [0, 1], ids=["while it is checked", "while it is stored"])
def test_an_import_stops_when_its_client_leaves(path, stored):
    """Four imports may run at a time, so a fifth one is accepted only when the abandoned ones have ended."""
    body = chat_lines(MESSAGES)
    with served(str(path)) as server, Memory(path, worker=False, environment={}) as memory:
        parts = urlsplit(server.url)
        for number in range(4):
            with socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE) as connection:
                route = f"import-chats?space=big&name=chat{number}.jsonl"
                connection.sendall(post(route, body, kind="application/octet-stream"))
                wait_until(lambda: messages(memory) >= stored)
        small = f"{server.url}/api/memory/import-chats?space=small"
        wait_until(lambda: httpx2.post(small, content=chat_lines(1), headers=FILE, timeout=PATIENCE).is_success)
        assert messages(memory) < MESSAGES


def wait_until(reached) -> None:
    """Polls until a condition on another process holds."""
    deadline = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.05)
