"""`aforesaid serve --processes`: several processes on one port, looked after and ended by one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.robustness.test_server import at_once, load, prove, wait_for
from tests.serving import Served, served

PATIENCE = 60.0
KILLED = "(-9)"


def members(server: Served) -> list[int]:
    """The processes that a server has started."""
    of = server.process.pid
    return [int(pid) for pid in Path(f"/proc/{of}/task/{of}/children").read_text().split()]


def until(reached) -> None:
    """Waits for another process: there is nothing else to wait on."""
    deadline = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def gone(pid: int) -> bool:
    """Whether it has ended; its parent need not have noticed."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.fixture(params=["postgres", "file"])
def store(request: pytest.FixtureRequest, path: Path) -> str:
    return str(request.getfixturevalue("address") if request.param == "postgres" else path)


@pytest.mark.slow
@pytest.mark.req("X15", "C11")
def test_clients_of_three_processes_lose_nothing_and_keep_their_order(store: str):
    with served(store, "--processes", "3") as server:
        started = members(server)
        over = threading.Event()
        with ThreadPoolExecutor(1) as pool:
            loading = pool.submit(load, server.url, 12, over.is_set)
            wait_for(store, 200)
            over.set()
            clients = loading.result()
        assert members(server) == started
        assert server.stop(signal.SIGTERM) == 0
        assert server.lines[-1] == "stopped\n"
    assert len(started) == 3
    assert all(map(gone, started))
    assert [failure for client in clients for failure in client.failures] == [], server.said  # its log says the cause
    assert {status for client in clients for status in client.answers} == {200, 201}
    assert all(client.acknowledged for client in clients)
    prove(store, clients)


@pytest.mark.slow
@pytest.mark.req("X15")
def test_a_process_that_is_killed_under_load_is_followed_by_another_and_loses_nothing(store: str):
    with served(store, "--processes", "3") as server:
        over = threading.Event()
        started = members(server)
        with ThreadPoolExecutor(1) as pool:
            loading = pool.submit(load, server.url, 9, over.is_set)
            wait_for(store, 60)
            os.kill(started[1], signal.SIGKILL)
            until(lambda: KILLED in server.said)
            over.set()
            clients = loading.result()
        until(lambda: len([pid for pid in members(server) if not gone(pid)]) == 3)
        for _ in range(6):  # whichever of them answers
            assert len(load(server.url, 1, at_once())[0].acknowledged) in (0, 2)
        assert server.stop(signal.SIGTERM) == 0
    assert sum(len(client.acknowledged) for client in clients) >= 60 - 9
    prove(store, clients)


def test_processes_end_with_the_one_that_looks_after_them(store: str):
    with served(store, "--processes", "2") as server:
        started = members(server)
        assert len(started) == 2
        server.stop(signal.SIGKILL)
        until(lambda: all(map(gone, started)))


def refused(*options: str) -> str:
    """What a server says that does not start."""
    command = [sys.executable, "-m", "aforesaid", "serve", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 2
    return done.stderr


def test_a_port_that_somebody_has_is_refused(path: Path):
    with served(str(path), "--processes", "2") as server:
        port = server.url.rpartition(":")[2]
        assert "cannot listen" in refused("--store", str(path), "--port", port, "--processes", "2")
        assert len(members(server)) == 2
        assert server.stop(signal.SIGINT) == 0


def test_a_store_in_memory_has_one_process():
    assert "belongs to one process" in refused("--store", ":memory:", "--processes", "2")
