"""A cache that drops the least recently used values."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Safe for any number of threads. The sizes of all values are at most `limit` together; the newest value stays in
    any case. The size of a value never changes."""

    def __init__(self, limit: int, size: Callable[[V], int] = lambda _: 1) -> None:
        self._limit = limit
        self._size = size
        self._total = 0
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: K, value: V | None) -> None:
        """None removes the value of the key."""
        with self._lock:
            if key in self._values:
                self._total -= self._size(self._values.pop(key))
            if value is not None:
                self._values[key] = value
                self._total += self._size(value)
            while self._total > self._limit and len(self._values) > 1:
                _, oldest = self._values.popitem(last=False)
                self._total -= self._size(oldest)
