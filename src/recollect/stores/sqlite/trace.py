"""Looks for a text wherever a store could have it: in every column of every table, in the leaves of the full-text
indexes, and in the bytes of every file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from recollect.models import Place, Verification
from recollect.stores import queries
from recollect.stores.nouns import jobs, needles, spaces
from recollect.stores.sqlite import leaves, raw
from recollect.stores.sqlite.session import SqliteSession

SQL = queries.named("trace")
JOB_KINDS = [kind for kinds in jobs.KINDS.values() for kind in kinds]

DIGITS = b"0123456789"
MOST = 1_000  # places that are named


class Trace:
    """One search. Bytes that belong to a row that is there are named once, by the row."""

    def __init__(self, session: SqliteSession, files: Sequence[str], text: str, space: str | None) -> None:
        self._session = session
        self._files = files
        self._text = text
        self._space = space
        self._tables: list[str] = []
        self._living: set[bytes] = set()

    def look(self) -> Verification:
        session = self._session
        self._space_key = None if self._space is None else spaces.key_of(session, self._space) or -1
        sought = needles.of(
            self._text,
            lambda term: self._lives(session, term),
            lambda part: self._occurs(session, part),
            needles.words_of([*(text for (text,) in session.fetch(SQL["own"])), *JOB_KINDS]),
        )
        found = list(self._rows(session, sought))
        found += self._leaves(session, sought)
        for path in self._files:
            found += self._bytes(path, sought)
        size = sum(Path(path).stat().st_size for path in self._files)
        return Verification(tuple(found[:MOST]), tuple(self._tables), tuple(self._files), size, len(sought.terms))

    def _lives(self, session: SqliteSession, term: str) -> bool:
        keys = [key for (key,) in session.fetch(SQL["spaces"])] if self._space_key is None else [self._space_key]
        return any(session.fetch(SQL["posted"], {"term": f"{key}{term}"}) for key in keys)

    def _occurs(self, session: SqliteSession, part: str) -> bool:
        return bool(session.fetch(SQL["occurs"], {"part": part}))

    def _rows(self, session: SqliteSession, sought: needles.Needles) -> Iterator[Place]:
        for (table,) in session.fetch(SQL["tables"]):
            self._tables.append(table)
            shadow = table.startswith(tuple(f"{index}_" for (index,) in session.fetch(SQL["indexes"])))
            columns = [row[0] for row in session.fetch(SQL["columns"], {"table": table})]
            keys = [row[0] for row in session.fetch(SQL["keys"], {"table": table})] or ["rowid"]
            for column in columns:
                for needle in (*sought.text, *sought.words):
                    for row in self._having(session, table, column, keys, needle):
                        self._living.add(needle)
                        if self._space_key in (None, row[0]) or (row[0] is None and not shadow):
                            key = " ".join(map(str, row[1:]))
                            yield Place(f"{table}.{column}", key, "text" if needle in sought.text else "word")

    def _having(
        self, session: SqliteSession, table: str, column: str, keys: Sequence[str], needle: bytes
    ) -> list[tuple[object, ...]]:
        owner = "space_key" if _has_column(session, table, "space_key") else "NULL"
        chosen = ", ".join(f'"{key}"' if key != "rowid" else key for key in keys)
        sql = f'SELECT {owner}, {chosen} FROM "{table}" WHERE instr(CAST("{column}" AS BLOB), ?) LIMIT {MOST}'
        return session.connection.execute(sql, (needle,)).fetchall()

    def _leaves(self, session: SqliteSession, sought: needles.Needles) -> Iterator[Place]:
        wanted = {term.encode() for term in sought.terms}
        for (table,) in session.fetch(SQL["indexes"]) if wanted else ():
            for key, page in session.connection.execute(f'SELECT id, block FROM "{table}_data"'):
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


def _has_column(session: SqliteSession, table: str, column: str) -> bool:
    return any(row[0] == column for row in session.fetch(SQL["all_columns"], {"table": table}))
