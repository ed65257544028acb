"""The table of exit codes, one for each kind of error."""

from __future__ import annotations

from aforesaid import errors
from aforesaid.errors import AforesaidError

OTHER = 1  # also: `doctor` found a problem, `verify-erasure` found the text, `import` found no message
CODES: tuple[tuple[type[AforesaidError], int], ...] = (
    (errors.InvalidInput, 2),  # the same as for a wrong option
    (errors.NotFound, 3),
    (errors.ConflictError, 4),
    (errors.StateError, 5),
    (errors.StoreError, 6),
    (errors.ProviderError, 7),
    (errors.NotFinished, 8),
    (errors.ConsentNeeded, 9),
    (errors.OnHold, 10),
)


def code(error: AforesaidError) -> int:
    return next((number for kind, number in CODES if isinstance(error, kind)), OTHER)
