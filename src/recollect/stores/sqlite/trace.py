"""Looks for a text wherever a store could have it: in every column of every table, in the leaves of the full-text
indexes, and in the bytes of every file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw

from recollect.models import Place, Verification
from recollect.stores import queries
from recollect.stores.nouns import jobs, needles, spaces
from recollect.stores.sqlite import leaves, raw
from recollect.stores.sqlite.database import IN_MEMORY, Database, fetch

SQL = queries.named("sqlite", "trace")
JOB_KINDS = [kind for kinds in jobs.KINDS.values() for kind in kinds]

DIGITS = b"0123456789"
MOST = 1_000  # places that are named


class Trace:
    """One search. Bytes that belong to a row that is there are named once, by the row."""

    def __init__(self, database: Database, text: str, space: str | None) -> None:
        self._database = database
        self._text = text
        self._space = space
        self._tables: list[str] = []
        self._living: set[bytes] = set()

    def look(self) -> Verification:
        with self._database.read() as connection:
            self._space_key = None if self._space is None else spaces.key_of(connection, self._space) or -1
            sought = needles.of(
                self._text,
                lambda term: self._lives(connection, term),
                lambda part: self._occurs(connection, part),
                needles.words_of([*(text for (text,) in fetch(connection, SQL["own"])), *JOB_KINDS]),
            )
            found = list(self._rows(connection, sought))
            found += self._leaves(connection, sought)
        files = [] if self._database.path == IN_MEMORY else raw.files(self._database.path)
        for path in files:
            found += self._bytes(path, sought)
        size = sum(Path(path).stat().st_size for path in files)
        return Verification(tuple(found[:MOST]), tuple(self._tables), tuple(files), size, len(sought.terms))

    def _lives(self, connection: apsw.Connection, term: str) -> bool:
        keys = [key for (key,) in fetch(connection, SQL["spaces"])] if self._space_key is None else [self._space_key]
        return any(fetch(connection, SQL["posted"], {"term": f"{key}{term}"}) for key in keys)

    def _occurs(self, connection: apsw.Connection, part: str) -> bool:
        return bool(fetch(connection, SQL["occurs"], {"part": part}))

    def _rows(self, connection: apsw.Connection, sought: needles.Needles) -> Iterator[Place]:
        for (table,) in fetch(connection, SQL["tables"]):
            self._tables.append(table)
            shadow = table.startswith(tuple(f"{index}_" for (index,) in fetch(connection, SQL["indexes"])))
            columns = [row[0] for row in fetch(connection, SQL["columns"], {"table": table})]
            keys = [row[0] for row in fetch(connection, SQL["keys"], {"table": table})] or ["rowid"]
            for column in columns:
                for needle in (*sought.text, *sought.words):
                    for row in self._having(connection, table, column, keys, needle):
                        self._living.add(needle)
                        if self._space_key in (None, row[0]) or (row[0] is None and not shadow):
                            key = " ".join(map(str, row[1:]))
                            yield Place(f"{table}.{column}", key, "text" if needle in sought.text else "word")

    def _having(
        self, connection: apsw.Connection, table: str, column: str, keys: Sequence[str], needle: bytes
    ) -> list[tuple[object, ...]]:
        owner = "space_key" if _has_column(connection, table, "space_key") else "NULL"
        chosen = ", ".join(f'"{key}"' if key != "rowid" else key for key in keys)
        sql = f'SELECT {owner}, {chosen} FROM "{table}" WHERE instr(CAST("{column}" AS BLOB), ?) LIMIT {MOST}'
        return connection.execute(sql, (needle,)).fetchall()

    def _leaves(self, connection: apsw.Connection, sought: needles.Needles) -> Iterator[Place]:
        wanted = {term.encode() for term in sought.terms}
        for (table,) in fetch(connection, SQL["indexes"]) if wanted else ():
            for key, page in connection.execute(f'SELECT id, block FROM "{table}_data"'):
                if any(term.lstrip(DIGITS) in wanted and self._of_space(term) for term in leaves.terms(page)):
                    yield Place(f"{table}.terms", f"page {key}", "word")

    def _of_space(self, term: bytes) -> bool:
        """A term begins with FTS5's mark of its index, its space, and a number where it occurs more than once."""
        number = term[1 : len(term) - len(term.lstrip(DIGITS))].decode()
        return self._space_key is None or number in [f"{self._space_key}{often}" for often in ("", "2", "4")]

    def _bytes(self, path: str, sought: needles.Needles) -> Iterator[Place]:
        wanted = {*sought.text, *sought.stretches, *sought.words} - self._living
        for needle, at in raw.places(path, wanted):
            yield Place(Path(path).name, f"offset {at}", "word" if needle in sought.words else "text")


def _has_column(connection: apsw.Connection, table: str, column: str) -> bool:
    return any(row[0] == column for row in fetch(connection, SQL["all_columns"], {"table": table}))
