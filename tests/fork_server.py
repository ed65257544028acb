"""A process that has imported aforesaid and forks a copy of itself for each program: `tests.forked` starts it."""

from __future__ import annotations

import gc
import json
import os
import runpy
import signal
import socket
import sys
import time
from io import BufferedReader, BufferedWriter, FileIO, TextIOWrapper
from typing import Any

PRELOADED = (
    "aforesaid.cli.app",
    "aforesaid.cli.serve",
    "aforesaid.server.app",
    "aforesaid.server.serve",
    "aforesaid.mcp_server.transports",
    "toktok",
)
VOCABULARY = "o200k_base"


def main(connection: socket.socket) -> None:
    """Serves until the other side closes. Each request comes with four files: three streams, and one for the status."""
    preload()
    while True:
        request, files, _, _ = socket.recv_fds(connection, 1 << 20, 4)
        if not request:
            return
        if os.fork() == 0:
            connection.close()
            watch(json.loads(request), files)
            return
        for file in files:
            os.close(file)
        reap()


def preload() -> None:
    for name in PRELOADED:
        __import__(name)
    sys.modules["toktok"].truncate("loads the vocabulary", 1, VOCABULARY)
    gc.freeze()  # a collection in a child leaves the pages shared


def reap() -> None:
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return


def watch(request: dict[str, Any], files: list[int]) -> None:
    """Forks the program itself, reports its id, waits for it and reports how it ended."""
    *streams, status = files
    pid = os.fork()
    if pid == 0:
        os.close(status)
        run(request, streams)
        return
    for stream in streams:
        os.close(stream)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.write(status, pid.to_bytes(4, "little"))
    _, ended = os.waitpid(pid, 0)
    os.write(status, ended.to_bytes(4, "little"))
    os.kill(os.getpid(), signal.SIGKILL)  # ends this process without the clean-up of what its parent has imported


def run(request: dict[str, Any], streams: list[int]) -> None:
    """Becomes the program, with its own streams, environment and folder, and ends as it ends."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    time.tzset()
    encoding = os.environ.get("PYTHONIOENCODING", "utf-8")
    sys.stdin = TextIOWrapper(BufferedReader(FileIO(0, closefd=False)), encoding)
    output = BufferedWriter(FileIO(1, "w", closefd=False))
    sys.stdout = TextIOWrapper(output, encoding, line_buffering=output.isatty())
    sys.stderr = TextIOWrapper(BufferedWriter(FileIO(2, "w", closefd=False)), encoding, "backslashreplace", None, True)
    kind, program, *arguments = request["program"]
    sys.argv = [kind, *arguments]
    if kind == "-m":
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    else:
        exec(compile(program, "<string>", "exec"), {"__name__": "__main__"})


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
