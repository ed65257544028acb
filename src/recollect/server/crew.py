"""Server processes on one port: started, looked after, started anew when one ends, and ended together."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from recollect.errors import StateError
from recollect.server.serve import listen

LOOK_SECONDS = 0.1  # how soon the end of a process is noticed
PAUSE_SECONDS = 1.0  # between the starts of one that ends again at once
PATIENCE_SECONDS = 30.0  # for all to end; then they are killed, which loses nothing

Tell = Callable[[str], None]


def listen_often(host: str, port: int, number: int) -> list[socket.socket]:
    """Sockets on the same port, among which the system shares out connections. A killed process leaves what waits at
    its socket to the one that follows it. Where the system does not share out (it does on Linux), one for all."""
    first = listen(host, port)  # refused where somebody else has the port, which a shared socket would not be
    if sys.platform != "linux" or number == 1:
        return [first] * number
    address = first.getsockname()
    first.close()
    return [listen(address[0], address[1], shared=True) for _ in range(number)]


@dataclass(slots=True)
class Member:
    """One process, at its own socket."""

    bound: socket.socket
    process: subprocess.Popen[bytes]
    begun: float


class Crew:
    """`command` starts a process; it is given its socket and a pipe that ends with this process, and says over another
    one that it is ready."""

    def __init__(self, command: Sequence[str], tell: Tell) -> None:
        self._command = command
        self._tell = tell
        self._living, self._held = os.pipe()
        self._heard, self._ready = os.pipe()

    def run(self, sockets: Sequence[socket.socket], asked: SimpleQueue[int], begun: Callable[[], None]) -> None:
        """Until somebody asks for the end. StateError where a process does not come up at first."""
        for bound in sockets:
            bound.listen(socket.SOMAXCONN)
        members = [self._start(bound) for bound in sockets]
        try:
            if self._wait_ready(members, asked):
                begun()
            while not _asked(asked, LOOK_SECONDS):
                for member in members:
                    self._look_after(member)
        finally:
            self._end(members)

    def _start(self, bound: socket.socket) -> Member:
        kept = (bound.fileno(), self._living, self._ready)
        command = [*self._command, "--inherit", ",".join(map(str, kept))]
        return Member(bound, subprocess.Popen(command, pass_fds=kept), time.monotonic())

    def _wait_ready(self, members: Sequence[Member], asked: SimpleQueue[int]) -> bool:
        os.set_blocking(self._heard, False)
        ready = 0
        while ready < len(members):
            for member in members:
                code = member.process.poll()
                if code is not None:
                    raise StateError("a server process ended before it was ready; it has said why", status=str(code))
            try:
                ready += len(os.read(self._heard, 4096))
            except BlockingIOError:
                if _asked(asked, LOOK_SECONDS):
                    asked.put(signal.SIGTERM)
                    return False
        return True

    def _look_after(self, member: Member) -> None:
        """Starts a process anew that has ended, though not again and again at once."""
        code = member.process.poll()
        if code is None or time.monotonic() < member.begun + PAUSE_SECONDS:
            return
        made = self._start(member.bound)
        self._tell(f"server process {member.process.pid} has ended ({code}); {made.process.pid} follows it")
        member.process, member.begun = made.process, made.begun

    def _end(self, members: Sequence[Member]) -> None:
        for member in members:
            member.process.terminate()
        deadline = time.monotonic() + PATIENCE_SECONDS
        for member in members:
            try:
                member.process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                member.process.kill()
                member.process.wait()
        for pipe in (self._living, self._held, self._heard, self._ready):
            os.close(pipe)


@dataclass(frozen=True, slots=True)
class Inherited:
    """What a process of a crew was given."""

    bound: socket.socket
    living: int
    ready: int

    def begin(self) -> None:
        """Says that connections are taken; from now on this process ends with the one that has started it."""
        os.write(self.ready, b".")
        os.close(self.ready)
        threading.Thread(target=self._watch, name="recollect-crew", daemon=True).start()

    def _watch(self) -> None:
        os.read(self.living, 1)  # nothing is ever written
        os.kill(os.getpid(), signal.SIGTERM)


def inherited(said: str) -> Inherited:
    number, living, ready = map(int, said.split(","))
    return Inherited(socket.socket(fileno=number), living, ready)


def _asked(asked: SimpleQueue[int], seconds: float) -> bool:
    try:
        asked.get(timeout=seconds)
    except Empty:
        return False
    return True
