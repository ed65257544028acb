"""Every error that aforesaid raises.

AforesaidError
├── InvalidInput        (also ValueError)    an argument is not valid; nothing was written
│   ├── NoModel                              no language model can answer; the message says how to configure one
│   └── BudgetExceeded                       the required parts of a context do not fit into its tokens
├── NotFound            (also LookupError)   no record with that id in this scope
├── ConflictError                            another record has the id
├── ConsentNeeded                            the space has no consent for a profile; nothing was written
├── StateError                               not possible in the current state of the conversation
├── OnHold                                   the space is on hold: nothing in it is erased until its release
├── ClosedError                              the Memory is closed
├── NotFinished         (also TimeoutError)  background work did not end in time; it continues
├── ProviderError                            a model or embedder cannot answer now
│   ├── CapReached                           the daily tokens are spent; it can answer tomorrow
│   └── ProviderRefused                      it will never answer this request
└── StoreError                               the database failed
    ├── StoreBusy                            other processes held the write lock for too long
    ├── StoreFull                            the disk is full; acknowledged writes are safe
    ├── StoreDamaged                         the file, an index or a record is missing or not readable
    ├── StoreMoved                           the file was removed, moved or replaced while it was open
    ├── WrongKey                             the key does not open the file, or a key is missing; nothing was changed
    ├── SchemaTooNew                         a newer version of aforesaid wrote the file
    ├── ServerUnavailable                    the server of a remote store cannot be reached, or did not answer
    └── AccessDenied                         the server needs a key, or the key does not allow this
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class AforesaidError(Exception):
    """The base of every error that aforesaid raises."""


class InvalidInput(AforesaidError, ValueError):
    """An argument is not valid. Nothing was written."""


class NoModel(InvalidInput):
    """No language model can answer; the message says how to configure one. Nothing was written."""


class BudgetExceeded(InvalidInput):
    """The required parts of a context need `needed` tokens, more than its `budget`."""

    def __init__(self, message: str, *, needed: int, budget: int) -> None:
        super().__init__(message)
        self.needed = needed
        self.budget = budget


class NotFound(AforesaidError, LookupError):
    """No record with that id in this scope."""


class ConflictError(AforesaidError):
    """Another record has the id `id`."""

    def __init__(self, message: str, *, id: str) -> None:
        super().__init__(message)
        self.id = id


class ConsentNeeded(AforesaidError):
    """The space has no consent for a profile. Nothing was written."""


class StateError(AforesaidError):
    """Not possible in the current `status` of the conversation."""

    def __init__(self, message: str, *, status: str) -> None:
        super().__init__(message)
        self.status = status


class OnHold(AforesaidError):
    """The space is on hold. Nothing was erased; `reason` says why the hold was placed."""

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class ClosedError(AforesaidError):
    """The Memory is closed."""


class NotFinished(AforesaidError, TimeoutError):
    """Background work did not end in time. It continues; `pending` jobs are open."""

    def __init__(self, message: str, *, pending: int) -> None:
        super().__init__(message)
        self.pending = pending


class ProviderError(AforesaidError):
    """A model or embedder cannot answer now; try again later. If `charged`, the tokens count as spent."""

    def __init__(self, message: str = "", *, charged: bool = False) -> None:
        super().__init__(message)
        self.charged = charged


class CapReached(ProviderError):
    """A call needs up to `needed` tokens, and `spent` of the daily `cap` are used. No model was called."""

    def __init__(self, message: str, *, needed: int, spent: int, cap: int) -> None:
        super().__init__(message)
        self.needed = needed
        self.spent = spent
        self.cap = cap


class ProviderRefused(ProviderError):
    """A model or embedder will never answer this request. If `mendable`, a key, an address or a model name is wrong."""

    def __init__(self, message: str = "", *, charged: bool = False, mendable: bool = False) -> None:
        super().__init__(message, charged=charged)
        self.mendable = mendable


class StoreError(AforesaidError):
    """The database failed."""


class StoreBusy(StoreError):
    """Other processes held the write lock for too long."""


class StoreFull(StoreError):
    """The disk is full. Acknowledged writes are safe."""


class StoreDamaged(StoreError):
    """The file, one of its indexes or one of its records is missing or not readable. If it is a record, `table` is its
    table and `id` its id or key; `space`, `conversation` and `seq` say where a message is."""

    def __init__(
        self,
        message: str = "",
        *,
        table: str | None = None,
        id: str | None = None,
        space: str | None = None,
        conversation: str | None = None,
        seq: int | None = None,
    ) -> None:
        super().__init__(message)
        self.table = table
        self.id = id
        self.space = space
        self.conversation = conversation
        self.seq = seq


class StoreMoved(StoreError):
    """The file was removed, moved, replaced or overwritten while it was open. Open the store again."""


class WrongKey(StoreError):
    """The key does not open the file, or a key is missing. Nothing was changed."""


class SchemaTooNew(StoreError):
    """A newer version of aforesaid wrote the file."""


class ServerUnavailable(StoreError):
    """The server of a remote store cannot be reached, did not answer in time, or is closing. The message has its
    address and says what to do."""


class AccessDenied(StoreError):
    """The server of a remote store needs a key, does not know this one, or the key does not allow the call."""


@contextmanager
def provider_failures(name: str, *, charged: bool = False) -> Iterator[None]:
    """Turns any other exception of a model, embedder or reranker into a ProviderError with the name of its type."""
    try:
        yield
    except (ProviderError, ClosedError):
        raise
    except Exception as exc:
        raise ProviderError(f"{name} failed: {type(exc).__name__}", charged=charged) from exc


def log_text(error: Exception) -> str:
    """The part of an error that is safe to log: the message of a provider's error, which names the model; of other
    errors only the class, because the message can quote a user's text."""
    return str(error) if isinstance(error, ProviderError) else type(error).__name__
