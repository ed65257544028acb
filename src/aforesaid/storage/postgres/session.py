"""The statements of one PostgreSQL transaction. Statements are pipelined; a call waits only if it needs the result."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from typing import Any

import psycopg
from psycopg import Connection, Pipeline

from aforesaid.models.store import CommitStamp
from aforesaid.storage import migrate, queries
from aforesaid.storage.database import LookupCache, Row, RowRefused, SessionClock, Values, first
from aforesaid.storage.postgres.schema import PostgresSchema
from aforesaid.storage.queries import NamedQuery

_NAME = re.compile(r"(?<!:):([a-z_]+)")


@cache
def texts() -> dict[NamedQuery, tuple[str, ...]]:
    """The statements of each query, with psycopg's placeholders. The last one has the result."""
    return {query: statements(sql) for query, sql in queries.texts("postgres").items()}


def statements(sql: str) -> tuple[str, ...]:
    return tuple(map(with_placeholders, queries.statements(sql)))


def with_placeholders(sql: str) -> str:
    return _NAME.sub(r"%(\1)s", sql.replace("%", "%%"))


class PostgresSession(LookupCache):
    """`space` is the space of the transaction: queries may name its `space_key` without being given it, and likewise
    `now`, which is the same for all of them. `stamp` is the stamp of the space in a read transaction."""

    has_ann = True

    def __init__(
        self, connection: Connection[Row], pipeline: Pipeline, space: str | None, clock: Callable[[], int]
    ) -> None:
        self.connection = connection
        self._now = SessionClock(clock)
        self.space_key: int | None = None
        self.stamp: CommitStamp = (0, 0)
        self.failed = False
        self.entered = ExitStack()
        self.pipeline = pipeline
        self.space = space
        self._texts = texts()

    def fetch(self, query: NamedQuery, values: Values | None = None) -> list[Row]:
        return self.answer(self.send(query, values))

    def fetch_each(self, query: NamedQuery, values: Iterable[Values]) -> list[list[Row]]:
        sent = [self.send(query, each) for each in values]
        self.pipeline.sync()
        return [self._rows(cursor) for cursor in sent]

    def execute(self, query: NamedQuery, values: Values | None = None) -> None:
        self.send(query, values)

    def execute_each(self, query: NamedQuery, values: Iterable[Values]) -> None:
        for each in values:
            self.send(query, each)

    def changed(self, query: NamedQuery, values: Values | None = None) -> int:
        cursor = self.send(query, values)
        self.pipeline.sync()
        return cursor.rowcount

    def changed_each(self, query: NamedQuery, values: Iterable[Values]) -> int:
        sent = [self.send(query, each) for each in values]
        self.pipeline.sync()
        return sum(cursor.rowcount for cursor in sent)

    def key_of(self, space: str) -> int | None:
        if space == self.space:
            return self._own_key()
        row = first(self.lookup(NamedQuery("spaces", "key"), {"space": space}))
        return int(row.space_key) if row else None

    def raw(self, sql: str, values: Values | None = None) -> list[Row]:
        return self.answer(self.connection.execute(with_placeholders(sql), self._bound(sql, values or {})))

    @contextmanager
    def secure_delete(self) -> Iterator[None]:
        yield  # deleted rows are removed when the tables are scrubbed

    @contextmanager
    def index_savepoint(self) -> Iterator[None]:
        yield  # the server keeps the index in step with its table

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        self.connection.execute("SAVEPOINT trying")
        try:
            yield
            self.pipeline.sync()
        except BaseException as exc:
            if not self.connection.closed:
                with suppress(psycopg.Error):  # the statements after the failed one are skipped up to here
                    self.pipeline.sync()
                self.connection.execute("ROLLBACK TO trying")
                self.connection.execute("RELEASE trying")
            if isinstance(exc, psycopg.IntegrityError | psycopg.DataError):
                raise RowRefused(str(exc).split("\n", 1)[0]) from exc
            raise
        self.connection.execute("RELEASE trying")

    def create_derived_tables(self, anew: Sequence[str] = ()) -> None:
        for name in anew:
            self.connection.execute(f"DROP TABLE IF EXISTS {name}")
        migrate.create_derived_tables(PostgresSchema(self.connection))

    def send(self, query: NamedQuery, values: Values | None) -> psycopg.Cursor[Row]:
        """Sends a query without waiting for the result."""
        *before, last = self._texts[query]
        bound = self._bound(" ".join((*before, last)), values or {})
        for statement in before:
            self.connection.execute(statement, bound)
        return self.connection.execute(last, bound)

    def answer(self, cursor: psycopg.Cursor[Row]) -> list[Row]:
        self.pipeline.sync()
        return self._rows(cursor)

    def _rows(self, cursor: psycopg.Cursor[Row]) -> list[Row]:
        return cursor.fetchall() if cursor.description else []

    def _bound(self, sql: str, values: Values) -> dict[str, Any]:
        bound = {name: _plain(value) for name, value in values.items()}
        if "space_key" not in bound and "%(space_key)s" in sql:
            bound["space_key"] = self._own_key()
        if "now" not in bound and "%(now)s" in sql:
            bound["now"] = self._now()
        return bound

    def _own_key(self) -> int | None:
        """A space that this transaction creates has a key only from then on."""
        if self.space_key is None and self.space is not None:
            cursor = self.connection.execute("SELECT space_key FROM spaces WHERE id = %s", (self.space,))
            row = first(cursor.fetchall())  # without a sync, which would end a transaction that was not begun
            self.space_key = int(row.space_key) if row else None
        return self.space_key


def _plain(value: Any) -> Any:  # noqa: ANN401 (whatever a query is given)
    """Booleans become numbers. A text with a NUL is nowhere in the store, so it is changed to another one."""
    if isinstance(value, bool):
        return int(value)
    return value.replace("\0", "\ufffd") if isinstance(value, str) and "\0" in value else value
