"""Tests `aforesaid serve --processes`: a supervisor starts, restarts and stops several processes on one port."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.robustness.test_server import acknowledged, add_once, loading, prove
from tests.serving import Served, served

PATIENCE = 60.0
KILLED = "(-9)"


def members(server: Served) -> list[int]:
    """Returns the ids of the processes that a server has started."""
    pid = server.process.pid
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def until(reached) -> None:
    """Polls until a condition on another process holds."""
    deadline = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def ended(pid: int) -> bool:
    """Returns true for a zombie too, because the parent may not have reaped the process yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def refused(*options: str) -> str:
    """Returns the error output of a server that does not start."""
    command = [sys.executable, "-m", "aforesaid", "serve", *options]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert run.returncode == 2
    return run.stderr


@pytest.fixture(params=["postgres", "file"])
def store(request: pytest.FixtureRequest, path: Path) -> str:
    return str(request.getfixturevalue("address") if request.param == "postgres" else path)


@pytest.mark.slow
@pytest.mark.req("X15", "C7", "C11")
def test_three_processes_lose_no_message_under_load_and_a_killed_one_restarts(store: str):
    """Kills one process under load, then stops the server: with SIGTERM on PostgreSQL, with SIGINT on a file."""
    with served(store, "--processes", "3") as server:
        started = members(server)
        assert len(started) == 3
        with loading(server.url, range(12), 150) as clients:
            pass
        assert members(server) == started
        assert [failure for client in clients for failure in client.failures] == [], server.said  # shows the log
        assert {status for client in clients for status in client.answers} == {200, 201}
        assert all(client.acknowledged for client in clients)

        with loading(server.url, range(20, 29), 60) as killing:
            os.kill(started[1], signal.SIGKILL)
            until(lambda: ended(started[1]))
            clients.append(add_once(server.url, 30))  # another process or the replacement answers
        until(lambda: KILLED in server.said)
        assert acknowledged(killing) >= 60
        until(lambda: len([pid for pid in members(server) if not ended(pid)]) == 3)
        clients += [*killing, *(add_once(server.url, 31 + number) for number in range(6))]  # any process can answer
        restarted = members(server)
        assert server.stop(signal.SIGTERM if "://" in store else signal.SIGINT) == 0
        assert server.lines[-1] == "stopped\n"
    assert all(map(ended, {*started, *restarted}))
    prove(store, clients)


@pytest.mark.req("X15")
def test_processes_exit_with_their_supervisor_and_a_used_port_is_refused(store: str):
    with served(store, "--processes", "2") as server:
        started = members(server)
        assert len(started) == 2
        port = server.url.rpartition(":")[2]
        assert "cannot listen" in refused("--store", store, "--port", port, "--processes", "2")
        assert members(server) == started
        server.stop(signal.SIGKILL)
        until(lambda: all(map(ended, started)))


def test_an_in_memory_store_allows_only_one_process():
    assert "belongs to one process" in refused("--store", ":memory:", "--processes", "2")
