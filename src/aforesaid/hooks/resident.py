"""A process that keeps a store open for the hooks, so that an event needs milliseconds instead of a second.

The first hook starts it. It does the background work too, answers only to its token, and ends after a while without
events, at an error, or when another process is announced for the store.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import sys
import threading
import time
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from aforesaid.hooks.agents import HookEvent
from aforesaid.hooks.handle import handle
from aforesaid.hooks.log import log_path, write_line
from aforesaid.hooks.running_server import (
    EVENT_PATH,
    PING_PATH,
    STOP_PATH,
    RunningServer,
    announced,
    find_server,
    is_announced,
)
from aforesaid.memory import Memory

IDLE_SECONDS = 15 * 60.0
CHECK_SECONDS = 5.0  # between looks at the announcement and the clock
LARGEST_BODY = 4 * 1024 * 1024


class ResidentServer(ThreadingHTTPServer):
    daemon_threads = False  # the end waits for the events that are being handled

    def __init__(self, memory: Memory, store: str, token: str) -> None:
        super().__init__(("127.0.0.1", 0), EventRequestHandler)
        self.memory = memory
        self.store = store
        self.token = token
        self.last_event = self.last_check = time.monotonic()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def service_actions(self) -> None:
        """Ends the process if nobody wants it any more. Runs between requests."""
        now = time.monotonic()
        if now - self.last_check > CHECK_SECONDS:
            self.last_check = now
            if now - self.last_event > IDLE_SECONDS or not is_announced(self.store, os.getpid()):
                self.end()

    def end(self) -> None:
        threading.Thread(target=self.shutdown).start()  # it waits for the end of the loop that it is called in


class EventRequestHandler(BaseHTTPRequestHandler):
    server: ResidentServer
    timeout = CHECK_SECONDS  # for a client that sends nothing

    def do_POST(self) -> None:
        given = self.headers.get("Authorization", "")
        length = int(self.headers.get("Content-Length") or 0)
        if not hmac.compare_digest(given.encode(), f"Bearer {self.server.token}".encode()) or length > LARGEST_BODY:
            self.send_error(403)
            return
        body = json.loads(self.rfile.read(length))
        if self.path in (PING_PATH, STOP_PATH):
            self._answer({})
            if self.path == STOP_PATH:
                self.server.end()
        elif self.path == EVENT_PATH:
            self.server.last_event = time.monotonic()
            try:
                answer = asdict(handle(self.server.memory, HookEvent(**body)))
            except BaseException:
                self.server.end()  # the next hook starts anew
                raise
            self._answer(answer)
        else:
            self.send_error(404)

    def _answer(self, answer: object) -> None:
        payload = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_: object) -> None:
        """Logs nothing: the hook logs the event."""


def main(store: str) -> None:
    if (other := find_server(store)) is not None and other.answers():  # two hooks began at the same time
        return
    with (
        Memory(store) as memory,
        ResidentServer(memory, store, secrets.token_urlsafe(32)) as server,
        announced(store, RunningServer(server.url, os.getpid(), server.token)),
    ):
        server.serve_forever()


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except Exception as exc:
        write_line(log_path(sys.argv[1]), {"agent": "", "event": "start", "error": f"{type(exc).__name__}: {exc}"})
        raise
