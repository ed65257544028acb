"""Every error that aforesaid raises.

AforesaidError
├── InvalidInput        (also ValueError)    what was passed cannot be taken; nothing was written
│   ├── NoModel                              no language model can answer here; the text says how to name one
│   └── BudgetExceeded                       what must be in a context does not fit into its tokens
├── NotFound            (also LookupError)   no record with that id in this scope
├── ConflictError                            the id is taken by something else
├── ConsentNeeded                            the space has not agreed to keep a profile; nothing was written
├── StateError                               not possible in the conversation's present state
├── ClosedError                              the Memory has been closed
├── NotFinished         (also TimeoutError)  background work did not end in time; it goes on
├── ProviderError                            a model or embedder cannot answer right now
│   ├── CapReached                           … before tomorrow: the day's tokens are spent
│   └── ProviderRefused                      … and will not answer this request however often it is asked
└── StoreError                               the database cannot do it
    ├── StoreBusy                            other processes held the write lock for too long
    ├── StoreFull                            the disk is full; what was acknowledged is safe
    ├── StoreDamaged                         the file or one of its indexes is not readable
    └── SchemaTooNew                         the file was written by a newer aforesaid
"""


class AforesaidError(Exception):
    """The base of every error that aforesaid raises."""


class InvalidInput(AforesaidError, ValueError):
    """What was passed cannot be taken. Nothing was written."""


class NoModel(InvalidInput):
    """No language model can answer here; the text says how to name one. Nothing was written."""


class BudgetExceeded(InvalidInput):
    """What must be in a context does not fit. It needs `needed` tokens, and `budget` are given."""

    def __init__(self, message: str, *, needed: int, budget: int) -> None:
        super().__init__(message)
        self.needed = needed
        self.budget = budget


class NotFound(AforesaidError, LookupError):
    """No record with that id in this scope."""


class ConflictError(AforesaidError):
    """The id is taken by something else. `id` says which."""

    def __init__(self, message: str, *, id: str) -> None:
        super().__init__(message)
        self.id = id


class ConsentNeeded(AforesaidError):
    """The space has not agreed to keep a profile. Nothing was written."""


class StateError(AforesaidError):
    """Not possible in the conversation's present state. `status` says which that is."""

    def __init__(self, message: str, *, status: str) -> None:
        super().__init__(message)
        self.status = status


class ClosedError(AforesaidError):
    """The Memory has been closed."""


class NotFinished(AforesaidError, TimeoutError):
    """Background work did not end in time. It goes on; `pending` jobs were left."""

    def __init__(self, message: str, *, pending: int) -> None:
        super().__init__(message)
        self.pending = pending


class ProviderError(AforesaidError):
    """A model or embedder cannot answer right now. Worth trying again.

    `charged` says that it may have done the work all the same, and that the tokens count as spent.
    """

    def __init__(self, message: str = "", *, charged: bool = False) -> None:
        super().__init__(message)
        self.charged = charged


class CapReached(ProviderError):
    """The call may take `needed` tokens; `spent` of the day's `cap` are gone. Nobody was asked."""

    def __init__(self, message: str, *, needed: int, spent: int, cap: int) -> None:
        super().__init__(message)
        self.needed = needed
        self.spent = spent
        self.cap = cap


class ProviderRefused(ProviderError):
    """A model or embedder will not answer this request however often it is asked.

    `mendable` says that it is not what was asked that is wrong: a key, an address or a model's name is.
    """

    def __init__(self, message: str = "", *, charged: bool = False, mendable: bool = False) -> None:
        super().__init__(message, charged=charged)
        self.mendable = mendable


class StoreError(AforesaidError):
    """The database cannot do it."""


class StoreBusy(StoreError):
    """Other processes held the write lock for too long."""


class StoreFull(StoreError):
    """The disk is full. What was acknowledged is safe."""


class StoreDamaged(StoreError):
    """The file, or one of its indexes, is missing or not readable."""


class SchemaTooNew(StoreError):
    """The file was written by a newer aforesaid than this one."""


def log_text(error: Exception) -> str:
    """What a log may say of an error: of a provider's the text, which names the model; of any other its kind, since a
    text may quote what somebody said."""
    return str(error) if isinstance(error, ProviderError) else type(error).__name__
