"""Child processes that use a store."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

PATIENCE = 60.0  # seconds; only a hung child takes that long


class Child:
    """A Python process that runs a script and exchanges lines with the test."""

    def __init__(self, script: Path, *arguments: object) -> None:
        self._held = b""
        self.process = subprocess.Popen(
            [sys.executable, str(script), *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def line(self, within: float = PATIENCE) -> str | None:
        """Returns the next line that the child prints, or None on timeout."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + within
        while b"\n" not in self._held:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                return None
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            assert piece, f"the child ended early: {self._complaint()}"
            self._held += piece
        line, _, self._held = self._held.partition(b"\n")
        return line.decode()

    def finish(self) -> list[str]:
        """Returns the remaining lines of a child, and asserts that it exits without an error."""
        out, err = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0, err.decode()
        return (self._held + out).decode().splitlines()

    def stop(self) -> None:
        """Kills the child and all processes that it has forked."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def _complaint(self) -> str:
        return self.process.communicate(timeout=PATIENCE)[1].decode()
