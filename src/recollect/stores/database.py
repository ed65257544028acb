"""What the nouns ask of an engine: transactions, and statements by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from recollect.errors import StoreError
from recollect.models import Verification
from recollect.records import Stamp
from recollect.stores.queries import Query

if TYPE_CHECKING:
    from recollect.stores.nouns.blocks import Block

T = TypeVar("T")
Row = tuple[Any, ...]
Values = Mapping[str, Any]
Scrub = tuple[str, Callable[[], object]]  # what is scrubbed, and how


class IndexBroken(Exception):
    """An index cannot be read or written; what it is an index of is well."""


class RowRefused(Exception):
    """A table's rules do not take a row."""


class FateUnknown(StoreError):
    """The connection broke while a transaction was being committed: it may be stored or not."""


@dataclass(frozen=True, slots=True)
class Brief(Generic[T]):
    """An append of new messages to one conversation, for an engine that can do it in one statement.

    `given` is what is written, as JSON; `made` tells the result from the first message's seq, or raises Outdated.
    """

    given: Callable[[], str]
    made: Callable[[int], T]


@dataclass(frozen=True, slots=True)
class Place:
    """The vectors of a space under one model, by their keys; each has so many numbers."""

    space: int
    model: int
    dimension: int


class Near(Protocol):
    """The vectors of large spaces in an index of the engine's own, in whole numbers."""

    def open(self, model_key: int) -> set[int]:
        """The keys of the spaces whose new vectors belong here too."""

    def ready(self, place: Place) -> bool:
        """Whether all vectors of a place are here, with an index."""

    def put(self, place: Place, block: Block) -> None: ...
    def nearest(self, place: Place, query: NDArray[np.int8], span: tuple[int, int], most: int) -> list[Row]:
        """Chunk, message, scale and product of about the nearest vectors of the messages in a span of keys."""

    def products(self, place: Place, query: NDArray[np.int8], messages: Sequence[int]) -> list[Row]:
        """The same of every vector of these messages."""


class NearIndex(Protocol):
    """Makes the indexes that `Near` is searched by."""

    least: int  # vectors that a space has before it gets one

    @property
    def reason(self) -> str | None:
        """Why there can be none; None: there can."""
        ...

    @property
    def builds(self) -> bool:
        """Whether this process may make them."""
        ...

    def fits(self, dimension: int) -> bool: ...
    def build(self, place: Place) -> bool:
        """Has a place's index made, outside any transaction; says whether it is there yet."""

    def tidy(self) -> int:
        """Drops the indexes of spaces and models that are gone; says how many."""


class Session(Protocol):
    """The statements of one transaction."""

    @property
    def near(self) -> Near | None:
        """None for an engine that has no index of vectors."""
        ...

    def fetch(self, query: Query, values: Values | None = None) -> list[Row]:
        """Every row that a statement gives."""

    def fetch_each(self, query: Query, values: Iterable[Values]) -> list[list[Row]]:
        """The rows for each of these values, in as few journeys as can be."""

    def execute(self, query: Query, values: Values | None = None) -> None:
        """What goes wrong may be raised by a later statement, or by the end of the transaction."""

    def execute_each(self, query: Query, values: Iterable[Values]) -> None: ...

    def changed(self, query: Query, values: Values | None = None) -> int:
        """How many rows a statement has changed."""

    def changed_each(self, query: Query, values: Iterable[Values]) -> int:
        """How many rows it has changed for all of these values."""

    def key_of(self, space: str) -> int | None:
        """The key of a space, by its name."""

    def leaving_nothing(self) -> AbstractContextManager[None]:
        """What is written meanwhile leaves nothing of what it deletes in its place, as far as the engine can."""

    def indexing(self) -> AbstractContextManager[None]:
        """Raises IndexBroken for an index that cannot be written; the transaction goes on."""

    def trying(self) -> AbstractContextManager[None]:
        """Raises RowRefused for what a table's rules do not take; the transaction goes on."""

    def make_derived(self, anew: Sequence[str] = ()) -> None:
        """Makes the tables that are rebuilt from the log where they are missing, and these anew, empty."""


class Database(Protocol):
    """An engine, for any number of threads.

    A write names the spaces that it is about: nothing else writes to them meanwhile. Keys that it makes in a space are
    greater than all that were committed there before.
    """

    @property
    def path(self) -> str: ...
    @property
    def far(self) -> bool:
        """Whether each question is a journey to a server."""
        ...

    @property
    def rings(self) -> bool:
        """Whether other processes' commits are heard of, so that `wait` need not look for them."""
        ...

    @property
    def near(self) -> NearIndex | None:
        """None for an engine that has no index of vectors."""
        ...

    def write(
        self,
        work: Callable[[Session], T],
        *spaces: str | None,
        alone: bool = False,
        durable: bool = True,
        brief: Brief[T] | None = None,
    ) -> T:
        """Runs `work` in a transaction that is durable when this returns, or leaves no trace when it raises.

        `alone`: nothing else is written meanwhile, in no space. What can be done again from the log need not be
        durable: a power cut may take it back, whole. `brief` does the same as `work`, where the engine can.
        """

    def jot(self, work: Callable[[Session], None], *spaces: str) -> None:
        """Writes what nobody keeps in memory and nobody waits for: no `stamp` need differ after it, and nobody is
        woken. It need not be durable, and may be done twice."""

    def read(self, space: str | None = None) -> AbstractContextManager[Session]:
        """Statements that all see the same moment, of one space or of all."""

    def still(self, space: str | None = None) -> AbstractContextManager[None]:
        """While it lasts, all that this thread reads is of one moment. Most of it is about `space`, where one is
        named."""

    def query(self, query: Query, values: Values | None = None, space: str | None = None) -> list[Row]:
        """Every row that one statement gives, from a moment of its own."""

    def stamp(self, space: str) -> Stamp:
        """Differs from an earlier one as soon as anybody has committed something in the space since that is kept in
        memory somewhere. While all that is read is of one moment, so is this, or earlier."""

    def wait(self, seen: Stamp | None, seconds: float) -> Stamp:
        """The stamp of all that is committed as soon as it differs from `seen`, or after so many seconds."""

    def empty_log(self) -> bool:
        """Empties the log of what was erased, where there is one that can be; says whether it did."""

    @property
    def scrubs(self) -> Sequence[Scrub]:
        """What leaves nothing in the files of what was deleted, one step after the other."""

    @property
    def cleans(self) -> bool:
        """Whether this process may do those steps."""
        ...

    def verify(self, text: str, space: str | None) -> Verification:
        """Looks for a text wherever the store could have it."""

    def damages(self) -> list[str]:
        """What the engine finds wrong with its own files."""

    def behind(self) -> int:
        """How many migrations the schema lacks."""

    def missing_tables(self, names: Sequence[str]) -> list[str]:
        """Those of these tables that are not there. A full-text table that is there is looked through."""

    def close(self) -> None: ...
