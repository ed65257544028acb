"""How often somebody may ask."""

from __future__ import annotations

import time

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from recollect.access.principal import Principal
from recollect.access.refusal import TooMany
from recollect.errors import InvalidInput


class Limits:
    """At most `rate` requests of each principal, as in `600/minute`; None: as many as they like."""

    def __init__(self, rate: str | None) -> None:
        self._rate = None if rate is None else parsed(rate)
        self._window = SlidingWindowCounterRateLimiter(MemoryStorage())

    def count(self, principal: Principal) -> None:
        if self._rate is None or self._window.hit(self._rate, principal.id):
            return
        reset = self._window.get_window_stats(self._rate, principal.id).reset_time
        seconds = max(1, round(reset - time.time()))
        raise TooMany(f"more than {self._rate}; wait {seconds} s", {"Retry-After": str(seconds)})


def parsed(rate: str) -> RateLimitItem:
    try:
        return parse(rate)
    except ValueError as exc:
        raise InvalidInput(f"{rate!r} is not a rate; write it as 600/minute") from exc
