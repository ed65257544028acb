"""Sealed vectors: a thousand of them in three arrays that are read and compared in one go."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from simsimd import cdist

from recollect.ports import Vectors
from recollect.stores import queries
from recollect.stores.database import Row, Session

SQL = queries.named("vectors")

BLOCK = 1024
CACHE_BYTES = 256 * 1024 * 1024
TAILS = 16  # kept at most
TARGET = np.dtype([("message", "<i8"), ("part", "<i4"), ("conversation", "<i8"), ("chunk", "<i8")])


@dataclass(frozen=True, slots=True)
class Query:
    """A question's vector, as coarse as the stored ones."""

    scale: float
    data: NDArray[np.int8]

    @classmethod
    def of(cls, vector: Vectors) -> Query:
        scale, data = quantised(vector)
        return cls(scale, np.frombuffer(data, np.int8)[None])


@dataclass(frozen=True, slots=True)
class Block:
    """Vectors and what they belong to. Row i of `data`, times `scales[i]`, is the vector of `targets[i]`."""

    targets: NDArray[Any]
    scales: NDArray[np.float32]
    data: NDArray[np.int8]

    @classmethod
    def read(cls, row: Row) -> Block:
        """From: targets, scales, data."""
        targets = np.frombuffer(row[0], TARGET)
        return cls(targets, np.frombuffer(row[1], "<f4"), np.frombuffer(row[2], np.int8).reshape(len(targets), -1))

    def similarity(self, query: Query) -> NDArray[np.float32]:
        """The dot products with a query, in whole numbers until the last step: the same on every machine."""
        if not len(self.targets):
            return np.empty(0, np.float32)
        return scored(np.asarray(cdist(query.data, self.data, "dot"))[0], self.scales, query)

    def keep(self, which: NDArray[np.bool_]) -> Block:
        return Block(self.targets[which], self.scales[which], self.data[which])

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


class Blocks:
    """The blocks read last. A block's key is never used twice, so what is kept under it stays true."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, Block] = OrderedDict()
        self._size = 0

    def get(self, session: Session, key: int) -> Block:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        block = Block.read(session.fetch(SQL["block"], {"block_key": key})[0])
        with self._lock:
            if key not in self._kept:
                self._kept[key] = block
                self._size += block.size
            while self._size > CACHE_BYTES and len(self._kept) > 1:
                self._size -= self._kept.popitem(last=False)[1].size
        return block


class Tails:
    """The vectors of a space that are not sealed yet, as a block, while nobody has written anything."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[int, int], tuple[tuple[int, int], Block]] = OrderedDict()

    def get(self, key: tuple[int, int], stamp: tuple[int, int], read: Callable[[], Block]) -> Block:
        """The tail at `stamp`, which was taken before anything was read."""
        with self._lock:
            kept = self._kept.get(key)
        if kept is not None and kept[0] == stamp:
            return kept[1]
        block = read()
        with self._lock:
            self._kept[key] = (stamp, block)
            self._kept.move_to_end(key)
            while len(self._kept) > TAILS:
                self._kept.popitem(last=False)
        return block


def quantised(vector: Vectors) -> tuple[float, bytes]:
    """A vector as a scale and one signed byte a dimension."""
    scale = float(np.abs(vector).max(initial=0.0)) / 127
    if scale == 0.0:
        return 0.0, np.zeros(len(vector), np.int8).tobytes()
    return scale, np.rint(vector / scale).astype(np.int8).tobytes()


def scored(products: NDArray[Any], scales: NDArray[np.float32], query: Query) -> NDArray[np.float32]:
    """Similarities out of products of whole numbers."""
    similar: NDArray[np.float32] = (products * (scales * query.scale)).astype(np.float32)
    return similar


def sealed(rows: Sequence[Row], dimension: int | None = None) -> Block:
    """Rows (message, part, conversation, chunk, scale, data) as one block."""
    targets = np.array([row[:4] for row in rows], TARGET)
    scales = np.array([row[4] for row in rows], "<f4")
    data = np.frombuffer(b"".join(row[5] for row in rows), np.int8)
    return Block(targets, scales, data.reshape(len(rows), dimension or -1) if rows else np.empty((0, 0), np.int8))
