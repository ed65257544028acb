"""Looks for a text in every column of every table. What the server's files, its log and its replicas may still have, no
query can see: docs/caveats.md says what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from recollect.models import Place, Verification
from recollect.stores import queries
from recollect.stores.nouns import jobs, needles, spaces
from recollect.stores.postgres.session import PostgresSession

SQL = queries.named("trace")
JOB_KINDS = [kind for kinds in jobs.KINDS.values() for kind in kinds]
MOST = 1_000  # places that are named
HOLDS_TERM = (  # which carries its space
    'EXISTS (SELECT 1 FROM unnest(tsvector_to_array("{column}")) t'
    " WHERE ltrim(t, '0123456789') = ANY (:terms::text[]))"
)
Column = tuple[
    str, str, int, int
]  # its table, its name, whether a space owns its rows, whether it is an index of terms
Kind = Literal["text", "word"]


class Trace:
    """One search."""

    def __init__(self, session: PostgresSession, text: str, space: str | None) -> None:
        self._session = session
        self._text = text
        self._space_key = None if space is None else spaces.key_of(session, space) or -1

    def look(self) -> Verification:
        columns = self._session.fetch(SQL["columns"])
        own = needles.words_of([*(name for row in columns for name in row[:2]), *JOB_KINDS])
        sought = needles.of(self._text, self._lives, self._occurs, own)
        found = [place for row in columns for place in self._places(row, sought)]
        ((size,),) = self._session.fetch(SQL["bytes"])
        tables = tuple(dict.fromkeys(row[0] for row in columns))
        return Verification(tuple(found[:MOST]), tables, (), int(size), len(sought.terms))

    def _lives(self, term: str) -> bool:
        keys = [self._space_key] if self._space_key is not None else self._keys()
        return any(self._session.fetch(SQL["posted"], {"term": f"{key}{term}"}) for key in keys)

    def _keys(self) -> list[int]:
        return [key for (key,) in self._session.fetch(SQL["spaces"])]

    def _occurs(self, part: str) -> bool:
        return bool(self._session.fetch(SQL["occurs"], {"part": part}))

    def _places(self, row: Column, sought: needles.Needles) -> Iterator[Place]:
        table, column, owned, indexed = row
        found: dict[object, Kind] = {}
        if indexed and sought.terms:
            holds = HOLDS_TERM.format(column=column)
            found |= dict.fromkeys(self._having(table, owned, holds, {"terms": list(sought.terms)}), "word")
        for needle in (*sought.words, *sought.text):
            holds = f"position(:needle::bytea IN convert_to(\"{column}\"::text, 'UTF8')) > 0"
            kind: Kind = "text" if needle in sought.text else "word"
            found |= dict.fromkeys(self._having(table, owned, holds, {"needle": needle}), kind)
        yield from (Place(f"{table}.{column}", str(key), kind) for key, kind in found.items())

    def _having(self, table: str, owned: int, holds: str, values: Mapping[str, object]) -> list[object]:
        of_space = " AND space_key = :space" if owned and self._space_key is not None else ""
        sql = f'SELECT ctid::text FROM "{table}" WHERE {holds}{of_space} LIMIT {MOST}'
        return [key for (key,) in self._session.raw(sql, {**values, "space": self._space_key})]
