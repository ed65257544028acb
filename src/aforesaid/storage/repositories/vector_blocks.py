"""Blocks of quantized vectors. A block holds about a thousand vectors in three arrays, which are read and compared
together.

A block never changes. Deleting from it writes a new block under a new key, so a block that is cached under a key
stays correct.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aforesaid.ports import Vectors
from aforesaid.storage.database import Row

try:
    from simsimd import cdist
except ImportError:  # numpy needs ten times as long
    cdist = None  # type: ignore[assignment]

BLOCK_SIZE = 1024
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
    """Vectors and their targets. Row i of `data`, times `scales[i]`, is the vector of `targets[i]`."""

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
        products = numpy_products(query.data, self.data) if cdist is None else cdist(query.data, self.data, "dot")
        return scale_products(np.asarray(products)[0], self.scales, query)

    def keep(self, which: NDArray[np.bool_]) -> VectorBlock:
        return VectorBlock(self.targets[which], self.scales[which], self.data[which])

    def extend(self, other: VectorBlock) -> VectorBlock:
        return VectorBlock(
            np.concatenate([self.targets, other.targets]),
            np.concatenate([self.scales, other.scales]),
            np.concatenate([self.data, other.data]),
        )

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


def quantize(vector: Vectors) -> tuple[float, bytes]:
    """Returns a vector as a scale and one signed byte per dimension."""
    scale = float(np.abs(vector).max(initial=0.0)) / 127
    if scale == 0.0:
        return 0.0, np.zeros(len(vector), np.int8).tobytes()
    return scale, np.rint(vector / scale).astype(np.int8).tobytes()


def numpy_products(query: NDArray[np.int8], data: NDArray[np.int8]) -> NDArray[np.float64]:
    """The products that `simsimd` gives: a sum of products of bytes is exact in float64."""
    return query.astype(np.float64) @ data.T.astype(np.float64)


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
