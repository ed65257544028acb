"""How often somebody may ask."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from recollect.access.principal import Principal
from recollect.access.refusal import TooMany
from recollect.errors import InvalidInput
from recollect.memory import Memory

PORTIONS = 50  # a process asks the store for a fiftieth of a rate at a time
REST_SECONDS = 1.0  # before the store is asked again for one who was refused


class Limits:
    """At most `rate` requests of each principal, as in `600/minute`; None: as many as they like. With a store, all
    processes on it count together; without, this one for itself."""

    def __init__(self, rate: str | None, shared: Memory | None = None) -> None:
        item = None if rate is None else parsed(rate)
        self._counter = None if item is None else Alone(item) if shared is None else Together(item, shared)

    def count(self, principal: Principal) -> None:
        if self._counter is not None:
            self._counter.count(principal.id)


class Alone:
    """Counts in this process."""

    def __init__(self, rate: RateLimitItem) -> None:
        self._rate = rate
        self._window = SlidingWindowCounterRateLimiter(MemoryStorage())

    def count(self, principal: str) -> None:
        if not self._window.hit(self._rate, principal):
            reset = self._window.get_window_stats(self._rate, principal).reset_time
            raise refused(self._rate, reset - time.time())


@dataclass(slots=True)
class Portion:
    """What a process may still let through until the time is over; `last` where there is no more to be had by then."""

    left: int
    until: float
    last: bool


class Together:
    """Counts in the store. A process takes its calls in portions, so that few requests wait for it; what it does not
    use in time is lost, so there are never more than the rate, and may be a little fewer."""

    def __init__(self, rate: RateLimitItem, memory: Memory) -> None:
        self._rate = rate
        self._memory = memory
        self._seconds = rate.get_expiry()
        self._wanted = max(1, rate.amount // PORTIONS)
        self._portions: dict[str, Portion] = {}
        self._lock = threading.Lock()

    def count(self, principal: str) -> None:
        with self._lock:
            now = time.time()
            held = self._portions.get(principal)
            if held is None or now >= held.until or (held.left == 0 and not held.last):
                held = self._portions[principal] = self._asked(principal, now)
            if held.left == 0:
                raise refused(self._rate, self._end(now) - now)
            held.left -= 1

    def _asked(self, principal: str, now: float) -> Portion:
        granted = self._memory.allot(principal, self._rate.amount, self._seconds, wanted=self._wanted)
        return Portion(granted, self._end(now) if granted else now + REST_SECONDS, last=not granted)

    def _end(self, now: float) -> float:
        return (now // self._seconds + 1) * self._seconds


def refused(rate: RateLimitItem, seconds: float) -> TooMany:
    rest = max(1, round(seconds))
    return TooMany(f"more than {rate}; wait {rest} s", {"Retry-After": str(rest)})


def parsed(rate: str) -> RateLimitItem:
    try:
        return parse(rate)
    except ValueError as exc:
        raise InvalidInput(f"{rate!r} is not a rate; write it as 600/minute") from exc
