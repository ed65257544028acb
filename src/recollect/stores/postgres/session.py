"""The statements of one transaction in PostgreSQL. They are sent as they come, and waited for where an answer is
needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from typing import Any

import psycopg
from psycopg import Connection, Pipeline

from recollect.records import Stamp
from recollect.stores import queries
from recollect.stores.database import Row, RowRefused, Values
from recollect.stores.postgres import migrate
from recollect.stores.postgres.near import Near
from recollect.stores.queries import Query

_NAME = re.compile(r"(?<!:):([a-z_]+)")
_END = re.compile(r";\s*(?:--[^\n]*)?\n|;\s*(?:--[^\n]*)?\Z")


@cache
def texts() -> dict[Query, tuple[str, ...]]:
    """Each query's statements, with psycopg's placeholders. The last one answers."""
    return {query: statements(sql) for query, sql in queries.texts("postgres").items()}


def statements(sql: str) -> tuple[str, ...]:
    found = [each.strip() for each in _END.split(sql) if each.strip()]
    return tuple(placed(each) for each in found)


def placed(sql: str) -> str:
    return _NAME.sub(r"%(\1)s", sql.replace("%", "%%"))


class PostgresSession:
    """`space_key` is the key of the space that the transaction is about: queries may name it without being given it.
    `stamp` is the space's, of the moment that a transaction which only reads sees."""

    def __init__(self, connection: Connection[Row], pipeline: Pipeline, space: str | None) -> None:
        self.connection = connection
        self.space_key: int | None = None
        self.stamp: Stamp = (0, 0)
        self.failed = False
        self.entered = ExitStack()
        self.pipeline = pipeline
        self.space = space
        self._texts = texts()

    @property
    def near(self) -> Near:
        return Near(self)

    def fetch(self, query: Query, values: Values | None = None) -> list[Row]:
        return self.answer(self.send(query, values))

    def fetch_each(self, query: Query, values: Iterable[Values]) -> list[list[Row]]:
        sent = [self.send(query, each) for each in values]
        self.pipeline.sync()
        return [self._rows(cursor) for cursor in sent]

    def execute(self, query: Query, values: Values | None = None) -> None:
        self.send(query, values)

    def execute_each(self, query: Query, values: Iterable[Values]) -> None:
        for each in values:
            self.send(query, each)

    def changed(self, query: Query, values: Values | None = None) -> int:
        cursor = self.send(query, values)
        self.pipeline.sync()
        return cursor.rowcount

    def changed_each(self, query: Query, values: Iterable[Values]) -> int:
        sent = [self.send(query, each) for each in values]
        self.pipeline.sync()
        return sum(cursor.rowcount for cursor in sent)

    def key_of(self, space: str) -> int | None:
        if space == self.space:
            return self._own_key()
        found = self.fetch(Query("spaces", "key"), {"space": space})
        return int(found[0][0]) if found else None

    def raw(self, sql: str, values: Values | None = None) -> list[Row]:
        """A statement that has no name."""
        return self.answer(self.connection.execute(placed(sql), self._bound(sql, values or {})))

    @contextmanager
    def leaving_nothing(self) -> Iterator[None]:
        yield  # what is deleted goes when the tables are scrubbed

    @contextmanager
    def indexing(self) -> Iterator[None]:
        yield  # the index is kept with its table by the server

    @contextmanager
    def trying(self) -> Iterator[None]:
        self.connection.execute("SAVEPOINT trying")
        try:
            yield
            self.pipeline.sync()
        except BaseException as exc:
            if not self.connection.closed:
                with suppress(psycopg.Error):  # what was sent after the statement that failed is passed over up to here
                    self.pipeline.sync()
                self.connection.execute("ROLLBACK TO trying")
                self.connection.execute("RELEASE trying")
            if isinstance(exc, psycopg.IntegrityError | psycopg.DataError):
                raise RowRefused(str(exc).split("\n", 1)[0]) from exc
            raise
        self.connection.execute("RELEASE trying")

    def make_derived(self, anew: Sequence[str] = ()) -> None:
        for name in anew:
            self.connection.execute(f"DROP TABLE IF EXISTS {name}")
        migrate.make_derived(self.connection)

    def send(self, query: Query, values: Values | None) -> psycopg.Cursor[Row]:
        """Sends a query, without waiting for it."""
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
        return bound

    def _own_key(self) -> int | None:
        """A space that is made in this very transaction has a key only since then."""
        if self.space_key is None and self.space is not None:
            asked = self.connection.execute("SELECT space_key FROM spaces WHERE id = %s", (self.space,))
            found = asked.fetchall()  # without an end of what is sent, which would end a transaction that none began
            self.space_key = int(found[0][0]) if found else None
        return self.space_key


def _plain(value: Any) -> Any:  # noqa: ANN401 (whatever a query is given)
    """Truth as a number. What has a NUL is nowhere in the store: it is asked for as something else that is not."""
    if isinstance(value, bool):
        return int(value)
    return value.replace("\0", "\ufffd") if isinstance(value, str) and "\0" in value else value
