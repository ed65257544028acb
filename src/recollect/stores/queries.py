"""Named queries, read from the `.sql` files beside this module."""

from __future__ import annotations

import re
from importlib.resources import files

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def read(engine: str, file: str) -> str:
    """The text of one `.sql` file."""
    return (files("recollect.stores") / "sql" / engine / f"{file}.sql").read_text(encoding="utf-8")


def named(engine: str, file: str) -> dict[str, str]:
    """The queries of one `.sql` file by their names."""
    pieces = _NAME.split(read(engine, file))
    return {name: sql.strip() for name, sql in zip(pieces[1::2], pieces[2::2], strict=True)}
