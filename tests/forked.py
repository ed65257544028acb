"""Python programs in processes of their own that start in 20 ms: forked from a process that has imported aforesaid.

Such a process has its own streams, environment, folder and exit code, receives signals and can be killed. It does not
prove that the interpreter starts and imports aforesaid: the tests of the command line do that with `subprocess`."""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock, Thread, Timer
from typing import BinaryIO, Self

PATIENCE = 120.0  # seconds


class ForkServer:
    """The process of `tests/fork_server.py`. It ends when this process ends, because its socket closes."""

    def __init__(self) -> None:
        self._connection, inside = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-P", str(Path(__file__).with_name("fork_server.py")), str(inside.fileno())]
        with inside:
            self._process = subprocess.Popen(command, pass_fds=[inside.fileno()])
        self._lock = Lock()
        atexit.register(self.close)

    def close(self) -> None:
        self._connection.close()
        self._process.wait(PATIENCE)

    def start(self, request: dict[str, object], files: list[int]) -> None:
        with self._lock:
            socket.send_fds(self._connection, [json.dumps(request).encode()], files)


@cache
def fork_server() -> ForkServer:
    return ForkServer()


class Process:
    """A process that runs `python PROGRAM…`, where PROGRAM is `-m MODULE` or `-c CODE` with arguments. `streams` are
    the files of its standard streams. The methods are those of `subprocess.Popen`."""

    def __init__(
        self, program: Sequence[str], streams: Sequence[int], environment: Mapping[str, str], folder: str | Path = "."
    ) -> None:
        self.returncode: int | None = None
        self._status, status = os.pipe()
        request = {
            "program": list(program),
            "environment": dict(environment),
            "folder": str(Path(folder).absolute()),
        }
        fork_server().start(request, [*streams, status])
        os.close(status)
        self.pid = int.from_bytes(os.read(self._status, 4), "little")
        assert self.pid, "the fork server has ended"

    def poll(self) -> int | None:
        """The exit code, or the negative number of the signal that ended the process; None while it runs."""
        if self.returncode is None and select.select([self._status], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, timeout: float = PATIENCE) -> int:
        if self.returncode is None:
            ended, _, _ = select.select([self._status], [], [], timeout)
            assert ended, f"the process {self.pid} has not ended after {timeout} s"
            self.returncode = os.waitstatus_to_exitcode(int.from_bytes(os.read(self._status, 4), "little"))
            os.close(self._status)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Forked(Process):
    """A process whose standard streams are pipes. It is killed at the end of the context, if it has not ended."""

    def __init__(self, *program: str, environment: Mapping[str, str], folder: str | Path = ".") -> None:
        (stdin, write), (read, stdout), (read_errors, stderr) = (os.pipe() for _ in range(3))
        super().__init__(program, (stdin, stdout, stderr), environment, folder)
        for file in (stdin, stdout, stderr):
            os.close(file)
        self.stdin: BinaryIO = os.fdopen(write, "wb")
        self.stdout: BinaryIO = os.fdopen(read, "rb")
        self.stderr: BinaryIO = os.fdopen(read_errors, "rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.wait()
        self.close()

    def close(self) -> None:
        for stream in (self.stdin, self.stdout, self.stderr):
            with suppress(BrokenPipeError):
                stream.close()

    def write_line(self, line: str) -> None:
        self.stdin.write(line.encode() + b"\n")
        self.stdin.flush()

    def communicate(self, input: bytes = b"") -> tuple[bytes, bytes]:
        """Writes the input, reads both outputs and waits for the end."""
        errors: list[bytes] = []
        threads = [Thread(target=self._write, args=(input,)), Thread(target=lambda: errors.append(self.stderr.read()))]
        overdue = Timer(PATIENCE, self.kill)
        for thread in (*threads, overdue):
            thread.start()
        output = self.stdout.read()
        for thread in threads:
            thread.join()
        overdue.cancel()
        self.wait()
        return output, errors[0]

    def _write(self, input: bytes) -> None:
        with suppress(BrokenPipeError), self.stdin:
            self.stdin.write(input)


def run(
    *program: str, environment: Mapping[str, str], folder: str | Path = ".", input: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Runs a program to its end."""
    with Forked(*program, environment=environment, folder=folder) as process:
        output, errors = process.communicate(input)
    return subprocess.CompletedProcess(program, process.wait(), output, errors)
