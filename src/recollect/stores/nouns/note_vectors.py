"""The vectors of notes as they were read last: blocks, of which only the newest grows."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from simsimd import cdist

from recollect.stores import queries
from recollect.stores.database import Row, Session
from recollect.stores.nouns.blocks import Query

SQL = queries.named("notes")

FULL = 4_096  # vectors in a block that grows no more
CACHE_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True, eq=False)
class NoteBlock:
    """Row i of `data`, times `scales[i]`, is the vector of the note `keys[i]`."""

    keys: NDArray[np.int64]
    scales: NDArray[np.float32]
    data: NDArray[np.int8]

    def similarity(self, query: Query) -> NDArray[np.float32]:
        dots = np.asarray(cdist(query.data, self.data, "dot"))[0]
        similar: NDArray[np.float32] = (dots * (self.scales * query.scale)).astype(np.float32)
        return similar

    def and_then(self, other: NoteBlock) -> NoteBlock:
        return NoteBlock(
            np.concatenate([self.keys, other.keys]),
            np.concatenate([self.scales, other.scales]),
            np.concatenate([self.data, other.data]),
        )


@dataclass(frozen=True, slots=True)
class _Kept:
    reached: int  # every vector up to this key has been read
    blocks: tuple[NoteBlock, ...] = ()

    @property
    def size(self) -> int:
        return sum(block.data.nbytes + 12 * len(block.keys) for block in self.blocks)


class NoteVectors:
    """A vector's key is never used twice and its note never changes, so what was read stays true. What has gone since
    may still be among it: its note is in no directory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[int, int], _Kept] = OrderedDict()

    def get(self, session: Session, space_key: int, model_key: int) -> tuple[NoteBlock, ...]:
        with self._lock:
            kept = self._kept.get((space_key, model_key)) or _Kept(0)
        scope = {"space_key": space_key, "model_key": model_key, "after": kept.reached}
        for start in iter(lambda: session.fetch(SQL["vectors"], scope | {"limit": FULL}), []):
            kept = _extended(kept, start)
            scope["after"] = kept.reached
        self._keep((space_key, model_key), kept)
        return kept.blocks

    def _keep(self, key: tuple[int, int], kept: _Kept) -> None:
        with self._lock:
            self._kept[key] = kept
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and sum(one.size for one in self._kept.values()) > CACHE_BYTES:
                self._kept.popitem(last=False)


def _extended(kept: _Kept, rows: list[Row]) -> _Kept:
    more = NoteBlock(
        np.array([row[1] for row in rows], np.int64),
        np.array([row[2] for row in rows], np.float32),
        np.frombuffer(b"".join(row[3] for row in rows), np.int8).reshape(len(rows), -1),
    )
    blocks = kept.blocks
    if blocks and len(blocks[-1].keys) < FULL:
        *blocks_before, last = blocks
        return _Kept(rows[-1][0], (*blocks_before, last.and_then(more)))
    return _Kept(rows[-1][0], (*blocks, more))
