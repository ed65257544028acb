"""The exit code of every error: one table."""

from __future__ import annotations

from recollect.errors import (
    ConflictError,
    ConsentNeeded,
    InvalidInput,
    NotFinished,
    NotFound,
    ProviderError,
    RecollectError,
    StateError,
    StoreError,
)

OTHER = 1  # also: the doctor found something that is not mended
CODES: tuple[tuple[type[RecollectError], int], ...] = (
    (InvalidInput, 2),  # the same as for a wrong option
    (NotFound, 3),
    (ConflictError, 4),
    (StateError, 5),
    (StoreError, 6),
    (ProviderError, 7),
    (NotFinished, 8),
    (ConsentNeeded, 9),
)


def code(error: RecollectError) -> int:
    return next((number for kind, number in CODES if isinstance(error, kind)), OTHER)
