"""What is typed or piped in, line by line."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from recollect.cli.output import note
from recollect.errors import InvalidInput

COMMAND = re.compile(r"/(?P<word>[A-Za-z]+)(?:\s+(?P<rest>.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Typed:
    """Something to say, or a command and what follows it."""

    text: str
    command: str | None = None


def typed(line: str) -> Typed | None:
    """None for an empty line. What begins with a slash and a word is a command; a space before it makes it words."""
    if not line.strip():
        return None
    found = COMMAND.fullmatch(line.rstrip())
    return Typed((found["rest"] or "").strip(), found["word"].lower()) if found else Typed(line.strip())


def lines(prompt: str, *, live: bool) -> Iterator[Typed]:
    """Until the end of the input. At a terminal, Ctrl-C begins the line anew."""
    for line in _asked(prompt) if live else _piped():
        found = typed(line)
        if found is not None:
            yield found


def _asked(prompt: str) -> Iterator[str]:
    with suppress(ImportError):
        import readline  # noqa: F401 (the line can be edited, and earlier ones called back)
    while True:
        try:
            line = input(prompt)
        except KeyboardInterrupt:
            print()
            note("Ctrl-D or /quit ends")
            continue
        except EOFError:
            print()
            return
        yield line


def _piped() -> Iterator[str]:
    for number, line in enumerate(sys.stdin.buffer, 1):
        try:
            yield line.decode().removesuffix("\n").removesuffix("\r")
        except UnicodeDecodeError as exc:
            raise InvalidInput(f"line {number} of standard input is not UTF-8 text; convert it first") from exc
