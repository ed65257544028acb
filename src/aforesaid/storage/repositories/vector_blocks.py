"""Blocks of quantized vectors. A block holds about a thousand vectors in three arrays, which are read and compared at
once.

A block never changes. Deleting from it writes a new block under a new key, so a block that is cached under a key
stays correct.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from simsimd import cdist

from aforesaid.ports import Vectors
from aforesaid.storage import queries
from aforesaid.storage.database import Row, Session

SQL = queries.named("vectors")

BLOCK_SIZE = 1024
CACHE_BYTES = 256 * 1024 * 1024
MAX_CACHED_TAILS = 16
TARGET_DTYPE = np.dtype([("message", "<i8"), ("part", "<i4"), ("conversation", "<i8"), ("chunk", "<i8")])


@dataclass(frozen=True, slots=True)
class QuantizedQuery:
    """The vector of a query, quantized like the stored ones."""

    scale: float
    data: NDArray[np.int8]

    @classmethod
    def of(cls, vector: Vectors) -> QuantizedQuery:
        scale, data = quantize(vector)
        return cls(scale, np.frombuffer(data, np.int8)[None])


@dataclass(frozen=True, slots=True)
class VectorBlock:
    """Vectors and what they belong to. Row i of `data`, times `scales[i]`, is the vector of `targets[i]`."""

    targets: NDArray[Any]
    scales: NDArray[np.float32]
    data: NDArray[np.int8]

    @classmethod
    def read(cls, row: Row) -> VectorBlock:
        targets = np.frombuffer(row.targets, TARGET_DTYPE)
        scales = np.frombuffer(row.scales, "<f4")
        return cls(targets, scales, np.frombuffer(row.data, np.int8).reshape(len(targets), -1))

    def similarity(self, query: QuantizedQuery) -> NDArray[np.float32]:
        """The dot products with a query, in integers until the last step: the same on every machine."""
        if not len(self.targets):
            return np.empty(0, np.float32)
        return scale_products(np.asarray(cdist(query.data, self.data, "dot"))[0], self.scales, query)

    def keep(self, which: NDArray[np.bool_]) -> VectorBlock:
        return VectorBlock(self.targets[which], self.scales[which], self.data[which])

    def columns(self) -> dict[str, int | bytes]:
        return {
            "count": len(self.targets),
            "targets": self.targets.tobytes(),
            "scales": self.scales.tobytes(),
            "data": self.data.tobytes(),
        }

    @property
    def size(self) -> int:
        return self.targets.nbytes + self.scales.nbytes + self.data.nbytes


class BlockCache:
    """The blocks read last. A block's key is never reused, so a cached block stays valid."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, VectorBlock] = OrderedDict()
        self._size = 0

    def get(self, session: Session, key: int) -> VectorBlock:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        (row,) = session.fetch(SQL["block"], {"block_key": key})
        block = VectorBlock.read(row)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = block
                self._size += block.size
            while self._size > CACHE_BYTES and len(self._kept) > 1:
                _, oldest = self._kept.popitem(last=False)
                self._size -= oldest.size
        return block


class TailCache:
    """The vectors of a space that are not packed yet, as a block, while nothing is written."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[int, int], tuple[tuple[int, int], VectorBlock]] = OrderedDict()

    def get(self, key: tuple[int, int], stamp: tuple[int, int], read: Callable[[], VectorBlock]) -> VectorBlock:
        """Returns the tail as of `stamp`, which was taken before anything was read."""
        with self._lock:
            read_at, block = self._kept.get(key, (None, None))
        if block is not None and read_at == stamp:
            return block
        block = read()
        with self._lock:
            self._kept[key] = (stamp, block)
            self._kept.move_to_end(key)
            while len(self._kept) > MAX_CACHED_TAILS:
                self._kept.popitem(last=False)
        return block


def quantize(vector: Vectors) -> tuple[float, bytes]:
    """Returns a vector as a scale and one signed byte per dimension."""
    scale = float(np.abs(vector).max(initial=0.0)) / 127
    if scale == 0.0:
        return 0.0, np.zeros(len(vector), np.int8).tobytes()
    return scale, np.rint(vector / scale).astype(np.int8).tobytes()


def scale_products(products: NDArray[Any], scales: NDArray[np.float32], query: QuantizedQuery) -> NDArray[np.float32]:
    """Similarities from products of integers."""
    similar: NDArray[np.float32] = (products * (scales * query.scale)).astype(np.float32)
    return similar


def pack_block(rows: Sequence[Row], dimension: int | None = None) -> VectorBlock:
    """Makes a block of vectors that are stored one per row."""
    targets = [(row.message_key, row.part, row.conversation_key, row.chunk_key) for row in rows]
    scales = np.array([row.scale for row in rows], "<f4")
    data = np.frombuffer(b"".join(row.data for row in rows), np.int8)
    data = data.reshape(len(rows), dimension or -1) if rows else np.empty((0, 0), np.int8)
    return VectorBlock(np.array(targets, TARGET_DTYPE), scales, data)
