"""A terminal that does not show what is typed while an answer is drawn: it would break the drawing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

try:
    import termios
except ImportError:  # no such terminal
    termios = None  # type: ignore[assignment]

FLAGS = 3  # where a terminal's attributes have their local flags


@contextmanager
def unechoed() -> Iterator[None]:
    """What is typed meanwhile is not lost: the next prompt has it."""
    if termios is None or not sys.stdin.isatty():
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    silent = [*before]
    silent[FLAGS] &= ~termios.ECHO
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, silent)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
