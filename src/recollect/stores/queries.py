"""Named queries. Nouns ask by name; each engine has the words in its own `.sql` files beside this module. What all say
in the same words stands in `both`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Query:
    """The name of a query, in the file that it stands in."""

    file: str
    name: str


@dataclass(frozen=True, slots=True)
class Names:
    """The queries of one file, by their names."""

    file: str

    def __getitem__(self, name: str) -> Query:
        return Query(self.file, name)


def named(file: str) -> Names:
    return Names(file)


def read(engine: str, file: str) -> str:
    """The text of one `.sql` file."""
    return (files("recollect.stores") / "sql" / engine / f"{file}.sql").read_text(encoding="utf-8")


def texts(engine: str) -> dict[Query, str]:
    """Every named query of an engine: its own, and those that all have."""
    return texts_in("both") | texts_in(engine)


def texts_in(folder: str) -> dict[Query, str]:
    """The named queries of the files in one folder."""
    found: dict[Query, str] = {}
    for file in (files("recollect.stores") / "sql" / folder).iterdir():
        if file.name.endswith(".sql"):
            name = file.name.removesuffix(".sql")
            pieces = _NAME.split(file.read_text(encoding="utf-8"))
            found |= {Query(name, one): sql.strip() for one, sql in zip(pieces[1::2], pieces[2::2], strict=True)}
    return found
