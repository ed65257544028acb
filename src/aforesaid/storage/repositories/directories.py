"""Directories: the messages of a space as columns in memory.

The directories of the most recently used spaces are cached. A cached directory is extended while messages are only
added, and is checked against the database before each use.

A new message is appended to the directory. A message that was removed or split again changes the revision of its
space, and the directory is read again. At most two million messages are cached.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aforesaid.models.index import NOTHING_EXPIRED, Directory, ExpiredKeys
from aforesaid.models.message import ROLES
from aforesaid.storage import queries
from aforesaid.storage.database import Database, Row, Session, first
from aforesaid.storage.lru_cache import LruCache
from aforesaid.storage.repositories import space_keys
from aforesaid.storage.repositories.base import Repository
from aforesaid.storage.repositories.chunks import LENGTH_CODES, LENGTHS

SESSION_PAUSE = 4 * 3600 * 1_000_000  # microseconds without a message that end a session
SESSION_MESSAGES = 64  # at most in a session
FEW_MESSAGES = 256  # new messages that are linked one by one; more are sorted together

STORED = (
    "messages", "conversations", "seqs", "moments", "importances", "roles", "speakers", "tokens", "lengths", "chunks",
    "firsts", "saliences",
)  # fmt: skip

Keys = NDArray[np.int64]
ChunkPlaces = Callable[[Keys], Keys]


def build_directory(rows: Sequence[Row], places: ChunkPlaces) -> Directory:
    """Returns a directory of these messages, in this order."""
    return _linked(_columns(rows, (), places))


def extend_directory(directory: Directory, rows: Sequence[Row], places: ChunkPlaces) -> Directory:
    """Returns the directory with these messages after those it has."""
    more = _columns(rows, directory.names, places)
    columns: dict[str, Any] = {n: np.concatenate([getattr(directory, n), getattr(more, n)]) for n in STORED}
    joined = replace(more, **columns)
    return _linked(joined) if len(rows) > FEW_MESSAGES else _appended(directory, joined)


def _columns(rows: Sequence[Row], known: tuple[str, ...], places: ChunkPlaces) -> Directory:
    """The columns of these messages. `known` are the speakers that have a number already. The number of terms of a
    message is estimated from the codes of its first and last chunk."""
    role = {name: number for number, name in enumerate(ROLES)}
    names = tuple(dict.fromkeys((*known, *(row.name for row in rows if row.name is not None))))
    speaker = {name: number for number, name in enumerate(names)} | {None: -1}
    firsts = np.array([row.first_chunk for row in rows], np.int64)
    lasts = np.array([row.last_chunk for row in rows], np.int64)
    chunks = lasts // LENGTH_CODES - firsts // LENGTH_CODES + 1
    lengths = (LENGTHS[firsts % LENGTH_CODES] + LENGTHS[lasts % LENGTH_CODES]) / 2 * chunks
    none = np.empty(0, np.int64)
    return Directory(
        messages=np.array([row.message_key for row in rows], np.int64),
        conversations=np.array([row.conversation_key for row in rows], np.int64),
        seqs=np.array([row.seq for row in rows], np.int64),
        moments=np.array([row.created_at for row in rows], np.int64),
        importances=np.array([row.importance for row in rows], np.float32),
        saliences=np.array([row.salience for row in rows], np.float32),
        roles=np.array([role[row.role] for row in rows], np.int8),
        speakers=np.array([speaker[row.name] for row in rows], np.int32),
        tokens=np.array([row.tokens for row in rows], np.int64),
        lengths=lengths.astype(np.float32),
        chunks=chunks,
        firsts=firsts,
        names=names,
        previous=none,
        following=none,
        sessions=none,
        places=places,
    )


def _linked(columns: Directory) -> Directory:
    """Computes the neighbours and the session of every message."""
    count = len(columns)
    order = np.lexsort((columns.seqs, columns.conversations))
    goes_on = columns.conversations[order][1:] == columns.conversations[order][:-1]
    previous, following = np.full(count, count, np.int64), np.full(count, count, np.int64)
    previous[order[1:][goes_on]] = order[:-1][goes_on]
    following[order[:-1][goes_on]] = order[1:][goes_on]
    begins = np.ones(count, bool)
    begins[1:] = ~goes_on | (np.diff(columns.moments[order]) > SESSION_PAUSE)
    starts = np.flatnonzero(begins)
    within = np.arange(count) - np.repeat(starts, np.diff(np.append(starts, count)))
    sessions = np.empty(count, np.int64)
    sessions[order] = np.cumsum(begins | (within % SESSION_MESSAGES == 0)) - 1
    return replace(columns, previous=previous, following=following, sessions=sessions)


def _appended(before: Directory, joined: Directory) -> Directory:
    """Links the few new messages of `joined`; sorts all if one of them is not the last of its conversation."""
    old, count = len(before), len(joined)
    previous, following = (_resized(column, old, count) for column in (before.previous, before.following))
    sessions = np.append(before.sessions, np.zeros(count - old, np.int64))
    last: dict[int, int] = {}
    for at in range(old, count):
        conversation = int(joined.conversations[at])
        if conversation not in last:
            last[conversation] = _last(before, conversation)
        before_it = last[conversation]
        if before_it >= 0 and joined.seqs[before_it] >= joined.seqs[at]:
            return _linked(joined)
        if before_it >= 0:
            previous[at], following[before_it] = before_it, at
        sessions[at] = _session(joined, sessions[:at], before_it, at)
        last[conversation] = at
    return replace(joined, previous=previous, following=following, sessions=sessions)


def _resized(column: Keys, old: int, count: int) -> Keys:
    """Neighbours in a larger directory, where "none" is the number of rows."""
    larger = np.full(count, count, np.int64)
    larger[:old] = np.where(column == old, count, column)
    return larger


def _last(directory: Directory, conversation: int) -> int:
    rows = np.flatnonzero(directory.conversations == conversation)
    return int(rows[np.argmax(directory.seqs[rows])]) if len(rows) else -1


def _session(joined: Directory, sessions: Keys, previous: int, at: int) -> int:
    new = int(sessions.max(initial=-1)) + 1
    if previous < 0 or joined.moments[at] - joined.moments[previous] > SESSION_PAUSE:
        return new
    session = sessions[previous]
    return new if np.count_nonzero(sessions == session) >= SESSION_MESSAGES else int(session)


SQL = queries.named("directories")
SPACES = queries.named("spaces")
RETENTION = queries.named("retention")
MAX_CACHED_MESSAGES = 2_000_000  # in all cached directories, about 100 bytes each
SPARSE = 16  # a table of chunk numbers may be this many times as long as the directory


class Fork(NamedTuple):
    """Where a branch leaves its parent: the last seq that they share, and when it was made."""

    parent: int
    last_seq: int
    at: int


@dataclass(frozen=True, slots=True)
class _CachedDirectory:
    stamp: tuple[int, int]
    revision: tuple[int, int]  # the space's key, which is never reused, and its number of edits
    spans: Keys  # first and last chunk number of each message, two columns
    directory: Directory
    expires: bool = False  # something in the space expires
    muted: frozenset[int] = frozenset()  # conversations
    forks: Mapping[int, Fork] = field(default_factory=dict)  # by the key of the branch


class Directories(Repository):
    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._cache: LruCache[str, _CachedDirectory] = LruCache(MAX_CACHED_MESSAGES, lambda one: len(one.directory))

    def get(self, space: str) -> Directory | None:
        """Returns the current directory of the space, or None for a space that does not exist."""
        stamp = self._database.stamp(space)
        cached = self._cache.get(space)
        if cached is None or cached.stamp != stamp:
            with self._database.read(space) as session:
                cached = _refresh(session, space, cached, stamp)
            self._cache.put(space, cached)
        return None if cached is None else cached.directory

    def may_expire(self, space: str) -> bool:
        """Returns True if something expires in the space, as far as this process knows."""
        cached = self._cache.get(space)
        return cached is not None and cached.expires

    def expired(self, space: str) -> ExpiredKeys:
        """Returns the messages and notes that have expired and are not erased yet. Costs nothing if nothing expires."""
        cached = self._cache.get(space)
        if cached is not None and not cached.expires:
            return NOTHING_EXPIRED
        rows = self._database.query(RETENTION["expired"], {}, space)
        messages, notes = ([row[at] for row in map(tuple, rows) if row[at] is not None] for at in (0, 1))
        return ExpiredKeys(np.array(messages, np.int64), np.array(notes, np.int64))

    def key(self, space: str, conversation: str) -> int | None:
        """Returns the key of a conversation in the directory."""
        with self._database.read(space) as session:
            return space_keys.conversation_key(session, space, conversation)

    def muted(self, space: str) -> frozenset[int]:
        """Returns the keys of the muted conversations. They are read with the directory."""
        self.get(space)
        cached = self._cache.get(space)
        return frozenset() if cached is None else cached.muted

    def forks(self, space: str) -> Mapping[int, Fork]:
        """Returns the branches of the space, by key. They are read with the directory: call `get` first."""
        cached = self._cache.get(space)
        return {} if cached is None else cached.forks

    def labelled(self, space: str, categories: Sequence[str], tags: Sequence[str]) -> frozenset[int]:
        """Returns the keys of the messages whose metadata has one of the categories and one of the tags."""
        values = {
            "categories": json.dumps(list(categories)) if categories else None,
            "tags": json.dumps(list(tags)) if tags else None,
        }
        return frozenset(row.message_key for row in self._database.query(SQL["labelled"], values, space))


def _refresh(
    session: Session, space: str, cached: _CachedDirectory | None, stamp: tuple[int, int]
) -> _CachedDirectory | None:
    row = first(session.fetch(SPACES["revision"], {"space": space}))
    if row is None:
        return None
    revision, expires = (row.space_key, row.revision), row.expires_at is not None
    if cached is not None and cached.revision != revision:
        cached = None
    after = int(cached.directory.messages.max(initial=0)) if cached else 0
    rows = session.fetch(SQL["messages"], {"space_key": revision[0], "after": after})
    special = session.fetch(SQL["special"], {"space": space})
    muted = frozenset(row.conversation_key for row in special if row.muted)
    forks = {
        row.conversation_key: Fork(row.parent_key, row.forked_at, row.created_at)
        for row in special
        if row.parent_key is not None
    }
    if cached is not None and not rows:
        return replace(cached, stamp=stamp, expires=expires, muted=muted, forks=forks)
    rows.sort(key=attrgetter("first_chunk"))
    chunks = [(row.first_chunk // LENGTH_CODES, row.last_chunk // LENGTH_CODES) for row in rows]
    more = np.array(chunks, np.int64).reshape(-1, 2)
    spans = more if cached is None else np.concatenate([cached.spans, more])
    places = places_of(spans)
    directory = build_directory(rows, places) if cached is None else extend_directory(cached.directory, rows, places)
    return _CachedDirectory(stamp, revision, spans, directory, expires, muted, forks)


def places_of(spans: Keys) -> ChunkPlaces:
    """Returns what finds messages by chunk: a table of all chunk numbers, or a binary search if that is too sparse."""
    if not len(spans):
        return lambda keys: np.full(len(keys), -1, np.int64)
    base, end = int(spans[0, 0]), int(spans[-1, 1]) + 1
    if end - base > SPARSE * (len(spans) + 1024):
        return lambda keys: _bisected(spans, keys // LENGTH_CODES)
    table = np.full(end - base, -1, np.int32)
    widths = spans[:, 1] - spans[:, 0] + 1
    steps = np.arange(int(widths.sum())) - np.repeat(np.cumsum(widths) - widths, widths)
    table[np.repeat(spans[:, 0] - base, widths) + steps] = np.repeat(np.arange(len(spans)), widths)
    return lambda keys: _looked_up(table, keys // LENGTH_CODES - base)


def _looked_up(table: NDArray[np.int32], numbers: Keys) -> Keys:
    known = (numbers >= 0) & (numbers < len(table))
    return np.where(known, table[np.where(known, numbers, 0)], -1).astype(np.int64)


def _bisected(spans: Keys, numbers: Keys) -> Keys:
    at = np.searchsorted(spans[:, 0], numbers, "right") - 1
    return np.where((at >= 0) & (numbers <= spans[at, 1]), at, -1)
