"""Named SQL queries. A repository asks for a query by file and name: `named("pins")["list"]`.

`common` has the queries of all engines; `sqlite` and `postgres` have the few that each engine words differently.
A file has blocks of two kinds:

    -- name: list           a query; its text ends at the next block
    -- fragment: columns    a part of queries, inserted where a text says `{columns}`

Fragments keep a list of columns, or an expression, in one place. Those in `dialect.sql` are the words in which the
engines differ: `{join_in_order}` is a join that SQLite must not reorder. A fragment may take an argument: `{json x}`
inserts the fragment `json` with `x` for the word `argument`. `INSERT INTO t (a, b) {values}` inserts the parameters
`:a` and `:b`; `DO UPDATE SET {excluded a, b}` overwrites both columns. All of this is expanded once, on loading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

_BLOCK = re.compile(r"^-- (name|fragment): (\w+)$", re.MULTILINE)
_END = re.compile(r";\s*(?:--[^\n]*)?(?:\n|\Z)")
_INSERT = re.compile(r"\(([\w\s,]+)\)\s\{values\}")
_EXCLUDED = re.compile(r"\{excluded ([\w\s,]+)\}")
_WORD, _PARAMETER = re.compile(r"(\w+)"), r":\1"
_FRAGMENT = re.compile(r"\{(\w+)(?: ([\w.]+))?\}")


@dataclass(frozen=True, slots=True)
class NamedQuery:
    file: str
    name: str


@dataclass(frozen=True, slots=True)
class QueryFile:
    file: str

    def __getitem__(self, name: str) -> NamedQuery:
        return NamedQuery(self.file, name)


named = QueryFile


def texts(engine: str) -> dict[NamedQuery, str]:
    """Every query of an engine: the common ones and its own, without fragments."""
    common, own = read("common"), read(engine)
    fragments = {query.name: text for query, text in (common["fragment"] | own["fragment"]).items()}

    def expand(text: str) -> str:
        while "{" in text:
            text = _INSERT.sub(lambda insert: f"({insert[1]}) VALUES ({_WORD.sub(_PARAMETER, insert[1])})", text)
            text = _EXCLUDED.sub(lambda update: _WORD.sub(r"\1 = excluded.\1", update[1]), text)
            text = _FRAGMENT.sub(lambda use: fragments[use[1]].replace("argument", use[2] or ""), text)
        return text

    return {query: expand(text) for query, text in (common["name"] | own["name"]).items()}


def statements(text: str) -> list[str]:
    """The statements of a query. The last one has its result."""
    return [statement.strip() for statement in _END.split(text) if statement.strip()]


def read(folder: str) -> dict[str, dict[NamedQuery, str]]:
    """The blocks of the files in a folder, by kind."""
    blocks: dict[str, dict[NamedQuery, str]] = {"name": {}, "fragment": {}}
    for file in (files(__name__) / folder).iterdir():
        _, *pieces = _BLOCK.split(file.read_text(encoding="utf-8"))
        for kind, name, text in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True):
            blocks[kind][NamedQuery(file.name.removesuffix(".sql"), name)] = text.strip()
    return blocks
