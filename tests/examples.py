"""The programs in examples/: each says in its docstring what it prints."""

from __future__ import annotations

import ast
import doctest
import os
from pathlib import Path
from textwrap import dedent

FOLDER = Path(__file__).parent.parent / "examples"
PRINTS = "\nIt prints:\n\n"
REAL = ("MODEL", "AFORESAID", "OPENAI", "ANTHROPIC", "TELEGRAM")  # what makes an example ask a real service


def documented_output(example: Path) -> str:
    """The indented block after "It prints:". A line of `...` stands for any lines, as in doctest."""
    docstring = ast.get_docstring(ast.parse(example.read_text("utf-8"))) or ""
    lines = docstring.partition(PRINTS)[2].splitlines()
    end = next((at for at, line in enumerate(lines) if line and not line.startswith("    ")), len(lines))
    return dedent("\n".join(lines[:end])).strip() + "\n"


def prints(example: Path, printed: str) -> bool:
    """Whether an example printed what its docstring says."""
    expected = documented_output(example)
    return len(expected) > 1 and doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS)


def offline() -> dict[str, str]:
    """An environment in which no example asks a real service."""
    return {name: value for name, value in os.environ.items() if not name.startswith(REAL)}
