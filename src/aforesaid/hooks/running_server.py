"""Finds the process that has a store open for the hooks, through a small file beside the store, and sends it an event.

That is `aforesaid serve`, or else a process that the first hook starts and that ends by itself (`resident.py`)."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass

from aforesaid import __version__
from aforesaid.hooks.data_folder import beside_store

EVENT_PATH, PING_PATH, STOP_PATH = "/api/memory/hooks", "/ping", "/stop"
START_SECONDS, ANSWER_SECONDS = 15.0, 10.0  # together less than the time that agents give a hook
POLL_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class RunningServer:
    """`token` is that of a resident process; a server has keys of its own, or none on loopback."""

    url: str
    pid: int
    token: str = ""
    version: str = __version__

    def post(self, path: str, body: Mapping[str, object]) -> dict[str, object] | None:
        """The JSON object that the server answers. None if it does not answer, or not with success."""
        from http.client import HTTPConnection, HTTPException

        host, _, port = self.url.removeprefix("http://").rpartition(":")
        connection = HTTPConnection(host.strip("[]"), int(port), timeout=ANSWER_SECONDS)
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        try:
            connection.request("POST", path, json.dumps(body).encode(), headers)
            response = connection.getresponse()
            answer = json.loads(response.read()) if response.status == 200 else None
        except (OSError, HTTPException, ValueError):
            return None
        finally:
            connection.close()
        return answer if isinstance(answer, dict) else None

    def answers(self) -> bool:
        """False for a resident process that has ended without saying so."""
        return not self.token or self.post(PING_PATH, {}) is not None


def server_file(store: str) -> str:
    return beside_store(store, "server")


def find_server(store: str) -> RunningServer | None:
    """The process that is announced for the store and still runs."""
    try:
        with open(server_file(store), encoding="utf-8") as file:
            found = RunningServer(**json.load(file))
    except (OSError, ValueError, TypeError):
        return None
    return found if _is_running(found.pid) else None


@contextmanager
def announced(store: str, server: RunningServer) -> Iterator[None]:
    """Lets hooks find this process, until the end of the context."""
    path = server_file(store)
    new = f"{path}.{server.pid}"
    with suppress(OSError):  # a folder that cannot be written: the hooks open the store themselves
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(asdict(server), file)
        os.replace(new, path)
    try:
        yield
    finally:
        if is_announced(store, server.pid):
            with suppress(OSError):
                os.remove(path)


def is_announced(store: str, pid: int) -> bool:
    found = find_server(store)
    return found is not None and found.pid == pid


def ask_server(store: str, event: Mapping[str, object]) -> dict[str, object] | None:
    """The answer to an event, from the process that runs or from one that this starts. None if there is none."""
    server = find_server(store)
    if server is not None and server.token and server.version != __version__:  # of before an update
        stop_resident(store)
        server = None
    answer = server.post(EVENT_PATH, event) if server is not None else None
    if answer is not None or (server is not None and not server.token):
        return answer
    started = _start(store, server)
    return None if started is None else started.post(EVENT_PATH, event)


def stop_resident(store: str) -> bool:
    """Ends the resident process of a store, and waits for its end. Returns False if there is none. Only its owner ends
    a server."""
    server = find_server(store)
    if server is None or not server.token or server.post(STOP_PATH, {}) is None:
        return False
    deadline = time.monotonic() + START_SECONDS
    while is_announced(store, server.pid) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    return True


def _start(store: str, ended: RunningServer | None) -> RunningServer | None:
    """Starts a resident process, and waits until it answers. `ended` is one that did not answer."""
    import subprocess

    line = [sys.executable, "-m", "aforesaid.hooks.resident", store]
    null = subprocess.DEVNULL
    if sys.platform == "win32":
        flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
        process = subprocess.Popen(line, stdin=null, stdout=null, stderr=null, creationflags=flags)
    else:
        process = subprocess.Popen(line, stdin=null, stdout=null, stderr=null, start_new_session=True)
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        found = find_server(store)
        if found is not None and found != ended:
            return found
        if process.poll() is not None:  # it could not open the store; the error is in the log
            return None
        time.sleep(POLL_SECONDS)
    return None


def _is_running(pid: int) -> bool:
    """False for a process that was killed: another program may have its port now."""
    if sys.platform == "win32":
        return True  # there, the signal 0 would end the process
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
