"""The base of all repositories, and the decorator of the methods that write."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from aforesaid.errors import AforesaidError, StoreDamaged
from aforesaid.models.json import Json
from aforesaid.storage.database import Database, Row, Session
from aforesaid.storage.queries import NamedQuery
from aforesaid.storage.repositories.space_keys import conversation_keys, conversation_line

UNREADABLE = (TypeError, ValueError, LookupError, ArithmeticError)  # what values raise that no writer stores


class RecordOfSpace(Protocol):
    @property
    def space(self) -> str: ...


Self = TypeVar("Self", bound="Repository")
First = TypeVar("First", bound=str | RecordOfSpace)
Rest = ParamSpec("Rest")
Result = TypeVar("Result")


class Repository:
    """The records of one kind. Each public method is one transaction. If it cannot handle what it read and
    the store is damaged, it raises StoreDamaged."""

    def __init_subclass__(cls) -> None:
        for name, method in list(vars(cls).items()):
            if inspect.isfunction(method) and not name.startswith("_"):
                setattr(cls, name, _guarded(method))

    def __init__(self, database: Database) -> None:
        self._database = database

    def is_damaged(self) -> bool:
        """Returns True if the store is damaged. Reads all of it."""
        return self._database.is_damaged()

    def _in_conversation(
        self, query: NamedQuery, space: str, conversation: str, values: Mapping[str, Json]
    ) -> list[Row]:
        """Returns the rows of a query about a conversation; none if there is no such conversation."""
        with self._database.read(space) as session:
            keys = conversation_keys(session, space, conversation)
            scope = {"space": space, "conversation": conversation, **values}
            return [] if keys is None else session.fetch(query, scope | keys._asdict())

    def _along_line(
        self,
        query: NamedQuery,
        space: str,
        conversation: str,
        values: Mapping[str, Json],
        *,
        oldest_first: bool = False,
    ) -> list[Row]:
        """Returns the rows of a query about each segment of a conversation's line, from the conversation back to its
        oldest ancestor, or the other way round. With a `limit`, returns that many rows, after the first `skip`."""
        with self._database.read(space) as session:
            line = conversation_line(session, space, conversation)
            scope = {"space": space, **values, "space_key": session.key_of(space) if line else None}
            if len(line) == 1:
                return session.fetch(query, scope | line[0]._asdict())
            rows: list[Row] = []
            limit, skip = values.get("limit"), values.get("skip", 0)
            for segment in line if oldest_first else reversed(line):
                if limit is not None:
                    scope |= {"limit": limit + skip - len(rows), "skip": 0}
                rows += session.fetch(query, scope | segment._asdict())
                if limit is not None and len(rows) == limit + skip:
                    break
            return rows[skip:]

    def _each_segment(
        self,
        query: NamedQuery,
        space: str,
        conversation: str,
        values: Mapping[str, Json],
        shared: NamedQuery | None = None,
    ) -> list[list[Row]]:
        """Returns the rows of a query about each segment of a conversation's line, the oldest first. `shared` is the
        query about the segments of ancestors, if it is another one."""
        with self._database.read(space) as session:
            line = conversation_line(session, space, conversation)
            scope = {"space": space, **values, "space_key": session.key_of(space) if line else None}
            queries = [shared or query] * (len(line) - 1) + [query]
            return [session.fetch(one, scope | part._asdict()) for one, part in zip(queries, line, strict=False)]


def _guarded(method: Callable[..., Result]) -> Callable[..., Result]:
    @wraps(method)
    def run(self: Repository, /, *args: object, **options: object) -> Result:
        try:
            return method(self, *args, **options)
        except AforesaidError:
            raise
        except UNREADABLE as exc:
            if not self.is_damaged():
                raise
            raise StoreDamaged(f"{method.__qualname__} cannot read a damaged record; run `aforesaid doctor`") from exc

    return run


def transaction(
    *, durable: bool = True
) -> Callable[
    [Callable[Concatenate[Self, Session, First, Rest], Result]], Callable[Concatenate[Self, First, Rest], Result]
]:
    """Runs a method in a write transaction, whose `session` it gets; callers leave out that argument. The next argument
    is the space to write to, or a record of it. See `Database.write` for `durable`."""

    def decorate(
        method: Callable[Concatenate[Self, Session, First, Rest], Result],
    ) -> Callable[Concatenate[Self, First, Rest], Result]:
        @wraps(method)
        def run(self: Self, first: First, /, *args: Rest.args, **options: Rest.kwargs) -> Result:
            def work(session: Session) -> Result:
                return method(self, session, first, *args, **options)

            space = first if isinstance(first, str) else first.space
            return self._database.write(work, space, durable=durable)

        return run

    return decorate
