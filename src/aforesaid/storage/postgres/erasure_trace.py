"""Searches for a text in every column of every table. The server's files, log and replicas cannot be searched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from aforesaid.models.erasure import TraceLocation, Verification
from aforesaid.storage import queries
from aforesaid.storage.database import Row, identifier
from aforesaid.storage.variants import MAX_PLACES, SearchVariants, Tracer

SQL = queries.named("trace")
HOLDS_TERM = (  # a term starts with its space
    "EXISTS (SELECT 1 FROM unnest(tsvector_to_array({column})) t WHERE ltrim(t, '0123456789') = ANY (:terms::text[]))"
)
Kind = Literal["text", "word"]


class PostgresTracer(Tracer):
    def look(self) -> Verification:
        columns = self._session.fetch(SQL["columns"])
        variants = self._variants(name for table, column, *_ in columns for name in (table, column))
        places = [place for row in columns for place in self._places(row, variants)]
        ((size,),) = self._session.fetch(SQL["bytes"])
        tables = tuple(dict.fromkeys(table for table, *_ in columns))
        return Verification(tuple(places[:MAX_PLACES]), tables, (), int(size), len(variants.terms))

    def _places(self, row: Row, variants: SearchVariants) -> Iterator[TraceLocation]:
        table, column, owned, indexed = row  # `owned` by a space; `indexed`: it has terms
        places: dict[object, Kind] = {}
        if indexed and variants.terms:
            holds = HOLDS_TERM.format(column=identifier(column))
            places |= dict.fromkeys(self._having(table, owned, holds, {"terms": list(variants.terms)}), "word")
        for needle in (*variants.words, *variants.text):
            holds = f"position(:needle::bytea IN convert_to({identifier(column)}::text, 'UTF8')) > 0"
            kind: Kind = "text" if needle in variants.text else "word"
            places |= dict.fromkeys(self._having(table, owned, holds, {"needle": needle}), kind)
        yield from (TraceLocation(f"{table}.{column}", str(key), kind) for key, kind in places.items())

    def _having(self, table: str, owned: int, holds: str, values: Mapping[str, object]) -> list[object]:
        of_space = " AND space_key = :space" if owned and self._space_key is not None else ""
        sql = f"SELECT ctid::text FROM {identifier(table)} WHERE {holds}{of_space} LIMIT {MAX_PLACES}"
        return [key for (key,) in self._session.raw(sql, {**values, "space": self._space_key})]
