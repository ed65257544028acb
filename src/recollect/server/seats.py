"""How many at once: what takes long may not be begun without end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from recollect.access.refusal import TooMany


class Seats:
    """So many of each principal; whoever wants more is told to wait. For one event loop."""

    def __init__(self, most: int, what: str) -> None:
        self._most = most
        self._what = what
        self._taken: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._taken.total()

    @contextmanager
    def taken(self, principal: str) -> Iterator[None]:
        if self._taken[principal] >= self._most:
            raise TooMany(f"{self._most} {self._what} are under way; wait for one to end", {"Retry-After": "5"})
        self._taken[principal] += 1
        try:
            yield
        finally:
            self._taken -= Counter([principal])
