"""Python programs in separate processes: `-m MODULE` or `-c CODE`, with arguments."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

PATIENCE = 120.0  # seconds


class Program(subprocess.Popen[bytes]):
    """A program whose standard streams are pipes. The end of the context kills it if it is still running."""

    def __init__(self, *arguments: str, environment: Mapping[str, str]) -> None:
        pipe = subprocess.PIPE
        super().__init__([sys.executable, *arguments], stdin=pipe, stdout=pipe, stderr=pipe, env=dict(environment))

    def __exit__(self, *error: object) -> None:
        self.kill()
        with suppress(BrokenPipeError):
            super().__exit__(*error)

    def write_line(self, line: str) -> None:
        assert self.stdin is not None
        self.stdin.write(line.encode() + b"\n")
        self.stdin.flush()


def run(
    *arguments: str, environment: Mapping[str, str], folder: str | Path = ".", input: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Runs a program until it exits."""
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, input=input, capture_output=True, env=dict(environment), cwd=folder, timeout=PATIENCE, check=False
    )
