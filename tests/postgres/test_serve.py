"""`aforesaid serve --processes N` on a database: they answer as one, and outlive each other."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx2 as httpx
import psutil
import pytest


@pytest.fixture
def served(address: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Its address, and its parent process."""
    command = [sys.executable, "-m", "aforesaid", "serve", "--store", address, "--port", "0", "--processes", "3"]
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("AFORESAID_", "RAG_"))}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=clean)
    try:
        assert process.stderr is not None
        found = re.search(r"http://\S+(?=;)", process.stderr.readline())
        assert found is not None
        yield found[0], process
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=120)


def url(base: str) -> str:
    return f"{base}/api/memory/conversations/c/messages?space=alice"


@pytest.mark.req("C7")
@pytest.mark.slow
def test_several_processes_answer_as_one_and_outlive_each_other(served: tuple[str, subprocess.Popen[str]]):
    base, process = served

    def add(number: int) -> int:
        with httpx.Client(timeout=60) as client:
            return client.post(url(base), json={"role": "user", "content": f"number {number}"}).status_code

    with ThreadPoolExecutor(6) as threads:
        assert set(threads.map(add, range(18))) == {201}
    children = psutil.Process(process.pid).children()
    assert len(children) == 3
    children[0].kill()
    children[0].wait(30)
    assert add(18) == 201
    with httpx.Client(timeout=60) as client:
        said = client.get(f"{url(base)}&limit=100").json()
    assert [message["seq"] for message in said["items"]] == list(range(19))
    process.send_signal(signal.SIGTERM)
    assert process.wait(120) == 0
    assert not any(child.is_running() for child in children)
