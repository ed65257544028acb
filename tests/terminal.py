"""A program in a pseudo-terminal that a test types into."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Self

PATIENCE = 30.0
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\x01\x02]")
# A new session has no terminal until it acquires one; then Ctrl-C reaches it even if the tests ignore SIGINT.
TAKE = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, "-m", "aforesaid", *sys.argv[1:]])
"""


class Terminal:
    """Runs `aforesaid` with these arguments."""

    def __init__(self, *arguments: str, environment: Mapping[str, str]) -> None:
        self._end, inside = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-c", TAKE, *arguments],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            start_new_session=True,
            env={**environment, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"},
        )
        os.close(inside)
        self._bytes = b""
        self._read = 0

    @property
    def raw(self) -> str:
        return self._bytes.decode("utf-8", "ignore")

    @property
    def shown(self) -> str:
        """Returns the complete output, without colors."""
        return ESCAPES.sub("", self.raw)

    def type(self, text: str) -> None:
        os.write(self._end, text.encode())

    def press(self, key: str, text: str) -> str:
        """Types a key until `text` appears: Python can miss a Ctrl-C that arrives before it waits for the next key."""
        for _ in range(int(PATIENCE)):
            self.type(key)
            if self._comes(text, 1.0):
                break
        return self.until(text)

    def until(self, text: str) -> str:
        """Waits for a text; returns the output since the last wait, up to and including the text."""
        assert self._comes(text, PATIENCE), f"no {text!r} in {self.shown[self._read :]!r}"
        begin = self._read
        self._read = self.shown.index(text, begin) + len(text)
        return self.shown[begin : self._read]

    def _comes(self, text: str, seconds: float) -> bool:
        """Returns whether a text appears in time."""
        deadline = time.monotonic() + seconds
        while text not in self.shown[self._read :]:
            if time.monotonic() > deadline:
                return False
            if not self._more():
                raise AssertionError(f"it ended without {text!r}: {self.shown!r}")
        return True

    def ended(self) -> int:
        """Waits for the program to exit; returns the exit code."""
        while self._more():
            pass
        return self._process.wait(PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._end)

    def _more(self) -> bool:
        """Reads the available output; returns False at the end."""
        readable, _, _ = select.select([self._end], [], [], 0.1)
        if not readable:
            return self._process.poll() is None
        try:
            piece = os.read(self._end, 65_536)
        except OSError:  # the other side has closed it
            return False
        self._bytes += piece
        return bool(piece)
