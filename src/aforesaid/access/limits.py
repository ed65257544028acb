"""Limits per caller: a request rate, counted in this process or across all processes on a store, and the number of
concurrent long requests.

The shared rate is never exceeded. It may allow slightly fewer requests."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from aforesaid.access.authentication import Principal
from aforesaid.access.problems import TooManyRequests
from aforesaid.errors import InvalidInput
from aforesaid.memory import Memory

LEASES_PER_PERIOD = 50  # a process leases a fiftieth of the rate at a time, so a request rarely waits for the store
WRONG_KEYS = "20/minute"  # per address and process
IPV6_PREFIX = 64  # bits that identify a client
RETRY_SECONDS = 1.0  # before a process asks the store again after it got no lease


class RateLimiter:
    """Allows at most `rate` requests per principal, for example `600/minute`; None means no limit. With a store, all
    processes on the store count together."""

    def __init__(self, rate: str | None, shared: Memory | None = None) -> None:
        self._counter: LocalRateCounter | SharedRateCounter | None = None
        if rate is not None:
            item = parse_rate(rate)
            self._counter = LocalRateCounter(item) if shared is None else SharedRateCounter(item, shared)

    def count(self, principal: Principal) -> None:
        """Raises TooManyRequests if the principal exceeds the rate."""
        if self._counter is not None:
            self._counter.count(principal.id)


class LocalRateCounter:
    """Counts in this process."""

    def __init__(self, rate: RateLimitItem) -> None:
        self._rate = rate
        self._window = SlidingWindowCounterRateLimiter(MemoryStorage())

    def count(self, principal: str) -> None:
        if not self._window.hit(self._rate, principal):
            reset = self._window.get_window_stats(self._rate, principal).reset_time
            raise rate_exceeded(self._rate, reset - time.time())


class FailureLimit:
    """Counts the wrong keys of each address in this process."""

    def __init__(self, rate: str = WRONG_KEYS) -> None:
        self._counter = LocalRateCounter(parse_rate(rate))

    def count(self, address: str) -> None:
        """Raises TooManyRequests after too many wrong keys."""
        try:
            self._counter.count(client_group(address))
        except TooManyRequests as exc:
            raise TooManyRequests("too many wrong keys came from this address; check the key", exc.headers) from exc


def client_group(address: str) -> str:
    """Returns the address, or the network of an IPv6 address: a client chooses the rest of such an address itself."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    return str(parsed.ipv4_mapped or ip_network((parsed, IPV6_PREFIX), strict=False))


@dataclass(slots=True)
class RateLease:
    """The requests that a process may still accept until a time. `last`: the store has no more for this period."""

    left: int
    until: float
    last: bool


class SharedRateCounter:
    """Counts in the store. A process leases several requests together. Leased requests that it does not use in time are
    lost."""

    def __init__(self, rate: RateLimitItem, memory: Memory) -> None:
        self._rate = rate
        self._memory = memory
        self._seconds = rate.get_expiry()
        self._lease_size = max(1, rate.amount // LEASES_PER_PERIOD)
        self._leases: dict[str, RateLease] = {}
        self._lock = threading.Lock()

    def count(self, principal: str) -> None:
        with self._lock:
            now = time.time()
            lease = self._leases.get(principal)
            if lease is None or now >= lease.until or (lease.left == 0 and not lease.last):
                lease = self._leases[principal] = self._new_lease(principal, now)
            if lease.left == 0:
                raise rate_exceeded(self._rate, self._period_end(now) - now)
            lease.left -= 1

    def _new_lease(self, principal: str, now: float) -> RateLease:
        granted = self._memory.allot(principal, self._rate.amount, self._seconds, wanted=self._lease_size)
        return RateLease(granted, self._period_end(now) if granted else now + RETRY_SECONDS, last=not granted)

    def _period_end(self, now: float) -> float:
        return (now // self._seconds + 1) * self._seconds


def rate_exceeded(rate: RateLimitItem, seconds: float) -> TooManyRequests:
    rest = max(1, round(seconds))
    return TooManyRequests(f"the rate is limited to {rate}; retry in {rest} s", {"Retry-After": str(rest)})


def parse_rate(rate: str) -> RateLimitItem:
    try:
        return parse(rate)
    except ValueError as exc:
        raise InvalidInput(f"{rate!r} is not a rate; write it as 600/minute") from exc


class ConcurrencyLimit:
    """Limits the concurrent requests of each principal to `most`. For one event loop."""

    def __init__(self, most: int, what: str) -> None:
        self._most = most
        self._what = what
        self._running: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._running.total()

    @contextmanager
    def slot(self, principal: str) -> Iterator[None]:
        """Raises TooManyRequests if the principal has no free slot."""
        if self._running[principal] >= self._most:
            raise TooManyRequests(
                f"{self._most} {self._what} are open, which is the limit; wait for one to end", {"Retry-After": "5"}
            )
        self._running[principal] += 1
        try:
            yield
        finally:
            self._running -= Counter([principal])
