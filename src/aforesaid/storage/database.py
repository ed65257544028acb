"""The interface to a database engine: transactions, and named queries inside them."""

from __future__ import annotations

import sys
import threading
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from aforesaid.errors import StateError, StoreError
from aforesaid.ids import microseconds
from aforesaid.models.erasure import Verification
from aforesaid.models.store import CommitStamp
from aforesaid.ports import Clock
from aforesaid.storage.queries import NamedQuery

T = TypeVar("T")
Values = Mapping[str, Any]
ScrubStep = tuple[str, Callable[[], object]]  # the name of a step, and its function
BEFORE_ALL = -(2**62)  # microseconds; earlier than every time that can be stored


class Row:
    """A row of a result: a named tuple. Read its columns by name (`row.text`), or unpack it if it is short."""

    if TYPE_CHECKING:

        def __getattr__(self, column: str) -> Any: ...  # noqa: ANN401
        def __iter__(self) -> Iterator[Any]: ...


def identifier(name: str) -> str:
    """A name of a table or column as SQL. A store file that somebody else made can have any name."""
    return '"' + name.replace('"', '""') + '"'


def first(rows: Sequence[Row]) -> Row | None:
    return rows[0] if rows else None


def scalar(rows: Sequence[Row]) -> Any:  # noqa: ANN401 (whatever the column has)
    """The value of a result of one row and one column."""
    ((value,),) = rows
    return value


def only(spaces: Iterable[str | None]) -> str | None:
    """The space that a transaction is about, if it is about exactly one."""
    names = {space for space in spaces if space is not None}
    return names.pop() if len(names) == 1 else None


@cache
def row_maker(columns: tuple[str, ...]) -> Callable[[Iterable[Any]], Row]:
    """Returns the function that makes a named tuple of these columns. A column that has no name, or the name of another
    one, is read by unpacking the row."""
    make: Any = partial(tuple.__new__, namedtuple("Row", columns, rename=True))
    return make  # type: ignore[no-any-return]


class IndexBroken(Exception):
    """An index cannot be read or written. The indexed data is intact."""


class RowRefused(Exception):
    """A constraint of a table refuses a row."""


class StaleSettings(Exception):
    """The space's settings have changed since the messages were made; none of them was stored."""


class HasExpired(StateError):
    """A new record would take the place of one that has expired and is not erased yet."""

    def __init__(self, record: str) -> None:
        advice = "try again in a moment, or use another id if the space is on hold"
        super().__init__(f"{record} has expired and is not erased yet; {advice}", status="expired")


class CommitUnknown(StoreError):
    """The connection broke while a transaction was being committed: it may be stored or not."""


@dataclass(frozen=True, slots=True)
class VectorPartition:
    """The vectors of a space under one model, by their keys, and the dimension of each."""

    space: int
    model: int
    dimension: int


class AnnIndexBuilder:
    """Builds the indexes for approximate nearest-neighbor search. This one is for an engine without such an index."""

    available = False
    least = sys.maxsize  # vectors that a space needs to get an index

    @property
    def reason(self) -> str | None:
        """Why there can be no index; None if there can."""
        return "the engine has no vector index"

    @property
    def builds(self) -> bool:
        """True if this process may build indexes."""
        return False

    def fits(self, dimension: int) -> bool:  # noqa: ARG002
        return False

    def build(self, place: VectorPartition) -> bool:  # noqa: ARG002
        """Starts to build an index, outside any transaction. Returns True if it is ready."""
        return False

    def drop_unused(self) -> int:
        """Drops the indexes of deleted spaces and models. Returns their number."""
        return 0


class Session(Protocol):
    """The statements of one transaction."""

    @property
    def has_ann(self) -> bool:
        """True if the engine has an index for approximate nearest-neighbor search."""
        ...

    def fetch(self, query: NamedQuery, values: Values | None = None) -> list[Row]:
        """Returns all rows of a statement."""

    def lookup(self, query: NamedQuery, values: Values) -> list[Row]:
        """Like `fetch`. In a read transaction, a query that returned rows runs once for the same values."""

    def cache_lookup(self, query: NamedQuery, values: Values, rows: list[Row]) -> None:
        """Gives `lookup` the rows that another query has returned already."""

    def fetch_each(self, query: NamedQuery, values: Iterable[Values]) -> list[list[Row]]:
        """Returns the rows for each of these values, in as few round trips as possible."""

    def execute(self, query: NamedQuery, values: Values | None = None) -> None:
        """An error may be raised by a later statement, or at the end of the transaction."""

    def execute_each(self, query: NamedQuery, values: Iterable[Values]) -> None: ...

    def changed(self, query: NamedQuery, values: Values | None = None) -> int:
        """Returns the number of changed rows."""

    def changed_each(self, query: NamedQuery, values: Iterable[Values]) -> int:
        """Returns the number of changed rows for all of these values."""

    def key_of(self, space: str) -> int | None:
        """Returns the key of a space, or None if there is no such space."""

    def raw(self, sql: str, values: Values | None = None) -> list[Row]:
        """Returns all rows of a statement that has no name."""

    def secure_delete(self) -> AbstractContextManager[None]:
        """While it lasts, overwrites deleted data, as far as the engine can."""

    def index_savepoint(self) -> AbstractContextManager[None]:
        """Raises IndexBroken if an index cannot be written; the transaction continues."""

    def savepoint(self) -> AbstractContextManager[None]:
        """Raises RowRefused if a constraint refuses a row; the transaction continues."""

    def create_derived_tables(self, anew: Sequence[str] = ()) -> None:
        """Creates the derived tables that are missing, and these again, empty."""


class SessionClock:
    """The time of one session, in microseconds: read once, when it is first needed."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._at: int | None = None

    def __call__(self) -> int:
        if self._at is None:
            self._at = self._clock()
        return self._at


class QueryClock:
    """The time that the queries of a database get. The store sets its clock."""

    def __init__(self) -> None:
        self.read: Clock = partial(datetime.now, UTC)
        self._local = threading.local()

    def __call__(self) -> int:
        return BEFORE_ALL if getattr(self._local, "stopped", False) else microseconds(self.read())

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """While it lasts, nothing has expired for this thread."""
        self._local.stopped = True
        try:
            yield
        finally:
            self._local.stopped = False


class LookupCache:
    """Implements `lookup`. `lookups` is None in a write transaction, where nothing is cached."""

    lookups: dict[object, list[Row]] | None = None

    def fetch(self, query: NamedQuery, values: Values | None = None) -> list[Row]:
        raise NotImplementedError

    def lookup(self, query: NamedQuery, values: Values) -> list[Row]:
        key = query, *values.items()
        rows = self.lookups.get(key) if self.lookups else None
        if rows is None:
            rows = self.fetch(query, values)
            if rows and self.lookups is not None:
                self.lookups[key] = rows
        return rows

    def cache_lookup(self, query: NamedQuery, values: Values, rows: list[Row]) -> None:
        if self.lookups is not None:
            self.lookups[query, *values.items()] = rows


@dataclass(frozen=True, slots=True)
class WrongRow:
    """A row that is not what was written. `checksum` is the one that it must have; None if it has none."""

    table: str
    id: str
    key: int
    checksum: int | None


class BackupReader(Protocol):
    """Looks for records in a backup."""

    def has_message(self, space: str, id: str, checksum: int) -> bool:
        """Returns True if the backup has this message as it was written."""

    def has_row(self, row: WrongRow) -> bool:
        """Returns True if the backup has this row as it was written."""


def sum_of_terms(terms: Iterable[str]) -> int:
    """A number that tells sets of terms apart, in this process."""
    return sum(map(hash, terms))


class Database(Protocol):
    """An engine. Safe for any number of threads.

    A write names its spaces: nothing else writes to them at the same time. New keys in a space are greater than all
    that were committed there before.
    """

    @property
    def path(self) -> str: ...
    @property
    def remote(self) -> bool:
        """True if each statement is a round trip to a server."""
        ...

    @property
    def supports_notify(self) -> bool:
        """True if other processes' commits are notified, so that `wait` does not poll."""
        ...

    @property
    def ann(self) -> AnnIndexBuilder: ...
    @property
    def clock(self) -> QueryClock:
        """The time that decides what has expired."""
        ...

    @property
    def encrypted(self) -> bool:
        """True if a key encrypts the files."""
        ...

    def write(self, work: Callable[[Session], T], *spaces: str | None, alone: bool = False, durable: bool = True) -> T:
        """Runs `work` in a transaction that is durable when this returns, or leaves no trace when it raises.

        `alone`: nothing else is written meanwhile, in any space. `durable=False` is for what can be derived again from
        the log: a power cut may undo it, as a whole.
        """

    def append(self, space: str, payload: str) -> int | None:
        """Appends new messages to one conversation in one statement, if the engine can. Returns the seq of the first.

        Stores nothing and returns -1 if the settings that they were made with have changed. Stores nothing and returns
        None if they need more than one statement. `payload` is their JSON.
        """

    def waiting(self, space: str) -> int:
        """The number of writes of a space, or of all, that this process has not begun yet."""

    def write_best_effort(self, work: Callable[[Session], None], *spaces: str) -> None:
        """Writes data that is not cached and not waited for: `stamp` may stay the same, and no process is notified. The
        write is not durable immediately, and may happen twice."""

    def read(self, space: str | None = None) -> AbstractContextManager[Session]:
        """Opens a transaction whose statements all see the same state, of one space or of all."""

    def snapshot(self, space: str | None = None) -> AbstractContextManager[None]:
        """While it lasts, everything that this thread reads is of the same state, mostly of `space`."""

    def query(self, query: NamedQuery, values: Values | None = None, space: str | None = None) -> list[Row]:
        """Returns all rows of one statement, in a transaction of its own."""

    def stamp(self, space: str) -> CommitStamp:
        """Changes with every commit in the space that a cache must notice. In a snapshot, it is of the same state or
        earlier."""

    def wait(self, seen: CommitStamp | None, seconds: float) -> CommitStamp:
        """Returns the stamp of the whole store as soon as it differs from `seen`, or after `seconds`."""

    def truncate_log(self) -> bool:
        """Removes erased data from the log, if possible. Returns True if it did."""

    @property
    def scrubs(self) -> Sequence[ScrubStep]:
        """The steps that remove deleted data from the files, in order."""

    @property
    def can_scrub(self) -> bool:
        """True if this process may do those steps."""
        ...

    def verify(self, text: str, space: str | None) -> Verification:
        """Searches for a text everywhere in the store."""

    def integrity_errors(self) -> list[str]:
        """Returns the errors that the engine finds in its files."""

    def check_room(self) -> None:
        """Raises StoreFull if the disk has no room for a message, as far as this process can know."""

    def page_checksums(self) -> str | None:
        """Returns what is to be said about the checksums that the engine itself keeps; None if it keeps none."""

    def is_damaged(self) -> bool:
        """Returns True if the engine's files or rows are damaged. Reads all of them."""

    def wrong_rows(self) -> list[WrongRow]:
        """Returns the rows of other tables than messages that differ from their checksums."""

    def mend_rows(self) -> None:
        """Deletes damaged rows that are made again, and seals rows without a checksum."""

    def indexed_terms(self, table: str) -> Mapping[int, int] | None:
        """Returns `sum_of_terms` of each row of a full-text table, by its key; None if the engine checks it itself."""

    def open_backup(self, path: Path) -> AbstractContextManager[BackupReader]:
        """Opens a backup of the store. Never changes it."""

    def behind(self) -> int:
        """Returns the number of migrations that the schema lacks."""

    def missing_tables(self, names: Sequence[str]) -> list[str]:
        """Returns those of these tables that are missing. Checks a full-text table that exists."""

    def close(self) -> None: ...
