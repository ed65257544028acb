"""Searches for a text in every column of every table. The server's files, log and replicas cannot be searched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from aforesaid.models.erasure import TraceLocation, Verification
from aforesaid.storage import queries, variants
from aforesaid.storage.database import Row
from aforesaid.storage.postgres.session import PostgresSession
from aforesaid.storage.repositories import jobs

SQL = queries.named("trace")
JOB_KINDS = [kind for kinds in jobs.KINDS.values() for kind in kinds]
MAX_PLACES = 1_000  # in a report
HOLDS_TERM = (  # a term starts with its space
    'EXISTS (SELECT 1 FROM unnest(tsvector_to_array("{column}")) t'
    " WHERE ltrim(t, '0123456789') = ANY (:terms::text[]))"
)
Kind = Literal["text", "word"]


class PostgresTracer:
    """One search."""

    def __init__(self, session: PostgresSession, text: str, space: str | None) -> None:
        self._session = session
        self._text = text
        self._space_key = None if space is None else session.key_of(space) or -1

    def look(self) -> Verification:
        columns = self._session.fetch(SQL["columns"])
        own = variants.words_of([*(name for table, column, *_ in columns for name in (table, column)), *JOB_KINDS])
        sought = variants.variants_of(self._text, self._lives, self._occurs, own)
        found = [place for row in columns for place in self._places(row, sought)]
        ((size,),) = self._session.fetch(SQL["bytes"])
        tables = tuple(dict.fromkeys(table for table, *_ in columns))
        return Verification(tuple(found[:MAX_PLACES]), tables, (), int(size), len(sought.terms))

    def _lives(self, term: str) -> bool:
        keys = [self._space_key] if self._space_key is not None else self._keys()
        return any(self._session.fetch(SQL["posted"], {"term": f"{key}{term}"}) for key in keys)

    def _keys(self) -> list[int]:
        return [key for (key,) in self._session.fetch(SQL["spaces"])]

    def _occurs(self, part: str) -> bool:
        return bool(self._session.fetch(SQL["occurs"], {"part": part}))

    def _places(self, row: Row, sought: variants.SearchVariants) -> Iterator[TraceLocation]:
        table, column, owned, indexed = row  # `owned` by a space; `indexed`: it has terms
        found: dict[object, Kind] = {}
        if indexed and sought.terms:
            holds = HOLDS_TERM.format(column=column)
            found |= dict.fromkeys(self._having(table, owned, holds, {"terms": list(sought.terms)}), "word")
        for needle in (*sought.words, *sought.text):
            holds = f"position(:needle::bytea IN convert_to(\"{column}\"::text, 'UTF8')) > 0"
            kind: Kind = "text" if needle in sought.text else "word"
            found |= dict.fromkeys(self._having(table, owned, holds, {"needle": needle}), kind)
        yield from (TraceLocation(f"{table}.{column}", str(key), kind) for key, kind in found.items())

    def _having(self, table: str, owned: int, holds: str, values: Mapping[str, object]) -> list[object]:
        of_space = " AND space_key = :space" if owned and self._space_key is not None else ""
        sql = f'SELECT ctid::text FROM "{table}" WHERE {holds}{of_space} LIMIT {MAX_PLACES}'
        return [key for (key,) in self._session.raw(sql, {**values, "space": self._space_key})]
