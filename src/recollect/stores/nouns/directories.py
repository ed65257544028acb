"""The directories of the spaces asked last, carried on while messages only come in."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recollect.records import Directory
from recollect.stores import directory, queries
from recollect.stores.database import Database, Row, Session
from recollect.stores.directory import Places
from recollect.stores.nouns import conversations, spaces
from recollect.stores.nouns.chunks import LENGTH_CODES, code_length

SQL = queries.named("directories")
KEPT_MESSAGES = 2_000_000  # in all directories that are kept, about 100 bytes each
SPARSE = 16  # a table of chunk numbers may be this many times as long as the directory

Keys = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Kept:
    stamp: tuple[int, int]
    revision: tuple[int, int]  # the space's key, which is never given again, and how often what it held changed
    spans: Keys  # first and last chunk number of each message, two columns
    directory: Directory


class Directories:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def get(self, space: str) -> Directory | None:
        stamp = self._database.stamp(space)
        with self._lock:
            kept = self._kept.get(space)
        if kept is None or kept.stamp != stamp:
            with self._database.read(space) as session:
                kept = _carried_on(session, space, kept, stamp)
            self._keep(space, kept)
        return None if kept is None else kept.directory

    def key(self, space: str, conversation: str) -> int | None:
        with self._database.read(space) as session:
            keys = conversations.keys_of(session, space, conversation)
        return keys[1] if keys else None

    def muted(self, space: str) -> frozenset[int]:
        return frozenset(row[0] for row in self._database.query(SQL["muted"], {"space": space}, space))

    def labelled(self, space: str, categories: Sequence[str], tags: Sequence[str]) -> frozenset[int]:
        with self._database.read(space) as session:
            scope = {
                "space_key": spaces.key_of(session, space),
                "categories": json.dumps(list(categories)) if categories else None,
                "tags": json.dumps(list(tags)) if tags else None,
            }
            return frozenset(row[0] for row in session.fetch(SQL["labelled"], scope))

    def _keep(self, space: str, kept: _Kept | None) -> None:
        with self._lock:
            self._kept.pop(space, None)
            if kept is None:
                return
            self._kept[space] = kept
            while len(self._kept) > 1 and sum(len(one.directory) for one in self._kept.values()) > KEPT_MESSAGES:
                self._kept.popitem(last=False)


def _carried_on(session: Session, space: str, kept: _Kept | None, stamp: tuple[int, int]) -> _Kept | None:
    for revision in session.fetch(SQL["space"], {"space": space}):
        if kept is not None and kept.revision != revision:
            kept = None
        after = int(kept.directory.messages.max(initial=0)) if kept else 0
        found = session.fetch(SQL["messages"], {"space_key": revision[0], "after": after})
        if kept is not None and not found:
            return _Kept(stamp, revision, kept.spans, kept.directory)
        found.sort(key=lambda row: row[8])
        more = np.array([(row[8] // LENGTH_CODES, row[9] // LENGTH_CODES) for row in found], np.int64).reshape(-1, 2)
        spans = more if kept is None else np.concatenate([kept.spans, more])
        rows, places = list(map(_row, found)), places_of(spans)
        made = directory.build(rows, places) if kept is None else directory.extended(kept.directory, rows, places)
        return _Kept(stamp, revision, spans, made)
    return None


def _row(row: Row) -> Row:
    """With a message's number of terms, by the codes of its first and last chunk, and its number of chunks."""
    first, last = row[8], row[9]
    chunks = last // LENGTH_CODES - first // LENGTH_CODES + 1
    length = (code_length(first % LENGTH_CODES) + code_length(last % LENGTH_CODES)) / 2 * chunks
    return (*row[:8], length, chunks, first)


def places_of(spans: Keys) -> Places:
    """Finds messages by chunk: in a table of all chunk numbers, or by halving where that would be too sparse."""
    if not len(spans):
        return lambda keys: np.full(len(keys), -1, np.int64)
    base, end = int(spans[0, 0]), int(spans[-1, 1]) + 1
    if end - base > SPARSE * (len(spans) + 1024):
        return lambda keys: _halved(spans, keys // LENGTH_CODES)
    table = np.full(end - base, -1, np.int32)
    widths = spans[:, 1] - spans[:, 0] + 1
    steps = np.arange(int(widths.sum())) - np.repeat(np.cumsum(widths) - widths, widths)
    table[np.repeat(spans[:, 0] - base, widths) + steps] = np.repeat(np.arange(len(spans)), widths)
    return lambda keys: _looked_up(table, keys // LENGTH_CODES - base)


def _looked_up(table: NDArray[np.int32], numbers: Keys) -> Keys:
    known = (numbers >= 0) & (numbers < len(table))
    return np.where(known, table[np.where(known, numbers, 0)], -1).astype(np.int64)


def _halved(spans: Keys, numbers: Keys) -> Keys:
    at = np.searchsorted(spans[:, 0], numbers, "right") - 1
    return np.where((at >= 0) & (numbers <= spans[at, 1]), at, -1)
