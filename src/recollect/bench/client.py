"""A server in a process of its own, and the leanest client of it: what is measured is the server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from recollect.errors import StateError

READY = re.compile(r"(?<= at )http://[^\s;]+")


class Client:
    """One connection that is kept open, in the space `bench`."""

    def __init__(self, url: str) -> None:
        self._connection = HTTPConnection(urlsplit(url).netloc, timeout=60)

    def post(self, path: str, body: dict[str, str]) -> bytes:
        head = {"Content-Type": "application/json", "X-Recollect-Space": "bench"}
        self._connection.request("POST", f"/api/memory/{path}", json.dumps(body), head)
        answer = self._connection.getresponse()
        read = answer.read()
        if answer.status >= 300:
            raise StateError(f"the server answered {answer.status}: {read[:200]!r}", status=str(answer.status))
        return read

    def close(self) -> None:
        self._connection.close()


@dataclass(frozen=True, slots=True)
class Served:
    """A server's address, and its first process."""

    url: str
    process: int


@contextmanager
def served(store: Path | str, *options: str) -> Iterator[Served]:
    """`recollect serve` on a store, as long as the context is open."""
    command = [sys.executable, "-m", "recollect", "serve", "--port", "0", *options]
    environment = {**os.environ, "RECOLLECT_STORE": str(store)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        said: list[str] = []
        found = None
        while found is None and (line := process.stderr.readline()):  # it may have something to warn of first
            said.append(line)
            found = READY.search(line)
        try:
            if found is None:
                raise StateError(f"the server did not start: {''.join(said).strip()}", status="stopped")
            yield Served(found[0], process.pid)
        finally:
            process.terminate()
            process.wait()
