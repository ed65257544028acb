"""The table of exit codes, one for each kind of error."""

from __future__ import annotations

from aforesaid.errors import (
    AforesaidError,
    ConflictError,
    ConsentNeeded,
    InvalidInput,
    NotFinished,
    NotFound,
    ProviderError,
    StateError,
    StoreError,
)

OTHER = 1  # also: `doctor` found a problem, `verify-erasure` found the text
CODES: tuple[tuple[type[AforesaidError], int], ...] = (
    (InvalidInput, 2),  # the same as for a wrong option
    (NotFound, 3),
    (ConflictError, 4),
    (StateError, 5),
    (StoreError, 6),
    (ProviderError, 7),
    (NotFinished, 8),
    (ConsentNeeded, 9),
)


def code(error: AforesaidError) -> int:
    return next((number for kind, number in CODES if isinstance(error, kind)), OTHER)
