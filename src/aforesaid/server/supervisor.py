"""Runs several server processes on one port: starts them, restarts a process that ends, and stops them together.

Each process has its own socket on the port, and the system distributes the connections. A restarted process inherits
the socket with its waiting connections. The processes share only the store.
"""

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

from aforesaid.errors import StateError
from aforesaid.server.serve import listen

POLL_SECONDS = 0.1  # between two checks of the processes
RESTART_SECONDS = 1.0  # at least, between two starts of one process
STOP_SECONDS = 30.0  # for all processes to end; then they are killed, which loses no acknowledged data

Report = Callable[[str], None]


def listen_shared(host: str, port: int, number: int) -> list[socket.socket]:
    """Returns one socket per process on the same port. The kernel distributes connections among them, and connections
    that wait on the socket of a killed process go to its successor. Only Linux distributes connections; on other
    systems, all processes share one socket."""
    first = listen(host, port)  # without SO_REUSEPORT, this fails if another program uses the port
    if sys.platform != "linux" or number == 1:
        return [first] * number
    address = first.getsockname()
    first.close()
    return [listen(address[0], address[1], shared=True) for _ in range(number)]


@dataclass(slots=True)
class SupervisedProcess:
    """A process and its socket."""

    bound: socket.socket
    process: subprocess.Popen[bytes]
    started: float


class Supervisor:
    """`command` starts a process. The process inherits its socket and two pipes: one closes when this process ends, on
    the other it reports that it is ready."""

    def __init__(self, command: Sequence[str], report: Report) -> None:
        self._command = command
        self._report = report
        self._alive_read, self._alive_write = os.pipe()
        self._ready_read, self._ready_write = os.pipe()

    def run(self, sockets: Sequence[socket.socket], stop: SimpleQueue[int], on_ready: Callable[[], None]) -> None:
        """Returns when `stop` has an item. Raises StateError if a process ends before it is ready."""
        for bound in sockets:
            bound.listen(socket.SOMAXCONN)
        processes = [self._start(bound) for bound in sockets]
        try:
            if self._wait_ready(processes, stop):
                on_ready()
                while not _stop_requested(stop):
                    for supervised in processes:
                        self._restart_if_ended(supervised)
        finally:
            self._end(processes)

    def _start(self, bound: socket.socket) -> SupervisedProcess:
        inherited = (bound.fileno(), self._alive_read, self._ready_write)
        command = [*self._command, "--inherit", ",".join(map(str, inherited))]
        return SupervisedProcess(bound, subprocess.Popen(command, pass_fds=inherited), time.monotonic())

    def _wait_ready(self, processes: Sequence[SupervisedProcess], stop: SimpleQueue[int]) -> bool:
        os.set_blocking(self._ready_read, False)
        ready = 0
        while ready < len(processes):
            for supervised in processes:
                code = supervised.process.poll()
                if code is not None:
                    raise StateError("a server process ended before it was ready; see its error", status=str(code))
            try:
                ready += len(os.read(self._ready_read, 4096))
            except BlockingIOError:
                if _stop_requested(stop):
                    return False
        return True

    def _restart_if_ended(self, supervised: SupervisedProcess) -> None:
        code = supervised.process.poll()
        if code is None or time.monotonic() < supervised.started + RESTART_SECONDS:
            return
        successor = self._start(supervised.bound)
        self._report(f"server process {supervised.process.pid} ended ({code}); started {successor.process.pid}")
        supervised.process, supervised.started = successor.process, successor.started

    def _end(self, processes: Sequence[SupervisedProcess]) -> None:
        for supervised in processes:
            supervised.process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        for supervised in processes:
            try:
                supervised.process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                supervised.process.kill()
                supervised.process.wait()
        for pipe in (self._alive_read, self._alive_write, self._ready_read, self._ready_write):
            os.close(pipe)


@dataclass(frozen=True, slots=True)
class InheritedHandles:
    """The handles that a supervised process inherits: its socket and the ends of two pipes."""

    bound: socket.socket
    alive: int
    ready: int

    def report_ready(self) -> None:
        """Reports to the supervisor that this process accepts connections. From now on, it ends with the supervisor."""
        os.write(self.ready, b".")
        os.close(self.ready)
        threading.Thread(target=self._stop_with_supervisor, name="aforesaid-supervisor-watch", daemon=True).start()

    def _stop_with_supervisor(self) -> None:
        os.read(self.alive, 1)  # returns when the supervisor ends: nothing is ever written
        os.kill(os.getpid(), signal.SIGTERM)


def parse_inherited(text: str) -> InheritedHandles:
    number, alive, ready = map(int, text.split(","))
    return InheritedHandles(socket.socket(fileno=number), alive, ready)


def _stop_requested(stop: SimpleQueue[int]) -> bool:
    try:
        stop.get(timeout=POLL_SECONDS)
    except Empty:
        return False
    return True
