"""The statements of one SQLite transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import apsw

from aforesaid.errors import StoreDamaged
from aforesaid.storage import migrate, queries
from aforesaid.storage.database import (
    IndexBroken,
    LookupCache,
    Row,
    RowRefused,
    SessionClock,
    Values,
    first,
    identifier,
    row_maker,
)
from aforesaid.storage.queries import NamedQuery
from aforesaid.storage.sqlite.schema import SqliteSchema

# Queries that read around a damaged text: the checksum of a message tells that it is damaged, and forgetting works
# without its text. Every other query fails.
READ_DAMAGED = {"messages", "forget", "forget_facts", "check"}


@dataclass(slots=True)
class _Statement:
    """The text of a query. `rows` makes its rows, as soon as the query has given one."""

    text: str
    about_space: bool  # names the key of a space
    about_now: bool  # names the time
    rows: Callable[[Iterable[Any]], Row] | None = None


@cache
def statements() -> dict[NamedQuery, _Statement]:
    texts = queries.texts("sqlite").items()
    return {query: _Statement(text, ":space_key" in text, ":now" in text) for query, text in texts}


class SqliteSession(LookupCache):
    """`space` is the space that the transaction is about: queries may name its `space_key` without being given it, and
    likewise `now`, which is the same for all of them."""

    has_ann = False

    def __init__(
        self,
        connection: apsw.Connection,
        space: str | None,
        lookups: dict[object, list[Row]] | None = None,
        *,
        clock: Callable[[], int],
    ) -> None:
        self.connection = connection
        self._now = SessionClock(clock)
        self.lookups = lookups
        self.space = space
        self._space_key: int | None = None
        self._statements = statements()

    def fetch(self, query: NamedQuery, values: Values | None = None) -> list[Row]:
        statement = self._statements[query]
        bound = self._bound(statement, values)
        cursor = self.connection.execute(statement.text, bound)
        if statement.rows is None:
            statement.rows = _describe(cursor)
        if statement.rows is None:
            return []
        try:
            return list(map(statement.rows, cursor))
        except UnicodeDecodeError as exc:
            if query.file not in READ_DAMAGED:
                advice = f"a record of {query.file} holds bytes that are no text; run `aforesaid doctor`"
                raise StoreDamaged(advice, table=query.file) from exc
            return [statement.rows(row) for row in self._fetch_bytes(statement.text, bound)]

    def _fetch_bytes(self, sql: str, values: Values | None) -> Iterator[list[Any]]:
        """Yields the rows of a query with a replacement character for every byte that is no text."""
        inner = sql.strip().removesuffix(";")
        described = self.connection.execute(f"SELECT * FROM ({inner})", values).get_description()
        names = [identifier(name) for name, _ in described]
        columns = [f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END" for name in names]
        kinds = " || ".join(f"substr(typeof({name}), 1, 1)" for name in names)
        for kind, *row in self.connection.execute(f"SELECT {kinds}, {', '.join(columns)} FROM ({inner})", values):
            yield [
                value.decode("utf-8", "replace") if letter == "t" and isinstance(value, bytes) else value
                for letter, value in zip(kind, row, strict=True)
            ]

    def fetch_each(self, query: NamedQuery, values: Iterable[Values]) -> list[list[Row]]:
        return [self.fetch(query, each) for each in values]

    def execute(self, query: NamedQuery, values: Values | None = None) -> None:
        statement = self._statements[query]
        self.connection.execute(statement.text, self._bound(statement, values))

    def execute_each(self, query: NamedQuery, values: Iterable[Values]) -> None:
        statement = self._statements[query]
        self.connection.executemany(statement.text, [self._bound(statement, each) or {} for each in values])

    def changed(self, query: NamedQuery, values: Values | None = None) -> int:
        self.execute(query, values)
        return self.connection.changes()

    def changed_each(self, query: NamedQuery, values: Iterable[Values]) -> int:
        return sum(self.changed(query, each) for each in values)

    def key_of(self, space: str) -> int | None:
        if space == self.space and self._space_key is not None:
            return self._space_key
        row = first(self.lookup(NamedQuery("spaces", "key"), {"space": space}))
        key = int(row.space_key) if row else None
        if space == self.space:
            self._space_key = key
        return key

    def _bound(self, statement: _Statement, values: Values | None) -> Values | None:
        if statement.about_space and self.space is not None and (values is None or "space_key" not in values):
            values = {**(values or {}), "space_key": self.key_of(self.space)}
        if statement.about_now and (values is None or "now" not in values):
            values = {**(values or {}), "now": self._now()}
        return values

    def raw(self, sql: str, values: Values | None = None) -> list[Row]:
        cursor = self.connection.execute(sql, values)
        make = _describe(cursor)
        return [] if make is None else list(map(make, cursor))

    @contextmanager
    def secure_delete(self) -> Iterator[None]:
        before = self.connection.pragma("secure_delete")
        self.connection.pragma("secure_delete", True)
        try:
            yield
        finally:
            self.connection.pragma("secure_delete", before)

    @contextmanager
    def index_savepoint(self) -> Iterator[None]:
        try:
            yield
        except (apsw.SQLError, apsw.CorruptError) as exc:
            raise IndexBroken(str(exc)) from exc

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        try:
            yield
        except apsw.ConstraintError as exc:
            raise RowRefused(str(exc)) from exc

    def create_derived_tables(self, anew: Sequence[str] = ()) -> None:
        schema = SqliteSchema(self.connection)
        for name in anew:
            schema.drop_full_text(name)
        migrate.create_derived_tables(schema)


def _describe(cursor: apsw.Cursor) -> Callable[[Iterable[Any]], Row] | None:
    """Returns what makes the rows of a result; None if there is no row."""
    try:
        return row_maker(tuple(name for name, _ in cursor.get_description()))
    except apsw.ExecutionCompleteError:
        return None
