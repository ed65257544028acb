"""The statements of one transaction in SQLite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache

import apsw

from recollect.stores import queries
from recollect.stores.database import IndexBroken, Row, RowRefused, Values
from recollect.stores.queries import Query
from recollect.stores.sqlite import migrate


@cache
def texts() -> dict[Query, str]:
    return queries.texts("sqlite")


class SqliteSession:
    near: None = None

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection
        self._texts = texts()

    def fetch(self, query: Query, values: Values | None = None) -> list[Row]:
        return self.connection.execute(self._texts[query], values).fetchall()

    def fetch_each(self, query: Query, values: Iterable[Values]) -> list[list[Row]]:
        return [self.fetch(query, each) for each in values]

    def execute(self, query: Query, values: Values | None = None) -> None:
        self.connection.execute(self._texts[query], values)

    def execute_each(self, query: Query, values: Iterable[Values]) -> None:
        self.connection.executemany(self._texts[query], values)

    def changed(self, query: Query, values: Values | None = None) -> int:
        self.connection.execute(self._texts[query], values)
        return self.connection.changes()

    def changed_each(self, query: Query, values: Iterable[Values]) -> int:
        return sum(self.changed(query, each) for each in values)

    def key_of(self, space: str) -> int | None:
        found = self.fetch(Query("spaces", "key"), {"space": space})
        return int(found[0][0]) if found else None

    def raw(self, sql: str, values: Values | None = None) -> list[Row]:
        """A statement that has no name."""
        return self.connection.execute(sql, values).fetchall()

    @contextmanager
    def leaving_nothing(self) -> Iterator[None]:
        before = self.connection.pragma("secure_delete")
        self.connection.pragma("secure_delete", True)
        try:
            yield
        finally:
            self.connection.pragma("secure_delete", before)

    @contextmanager
    def indexing(self) -> Iterator[None]:
        try:
            yield
        except (apsw.SQLError, apsw.CorruptError) as exc:
            raise IndexBroken(str(exc)) from exc

    @contextmanager
    def trying(self) -> Iterator[None]:
        try:
            yield
        except apsw.ConstraintError as exc:
            raise RowRefused(str(exc)) from exc

    def make_derived(self, anew: Sequence[str] = ()) -> None:
        for name in anew:
            migrate.drop_full_text(self.connection, name)
        migrate.make_derived(self.connection)
