"""A space's directory, put together from rows. The same for every store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.models import ROLES
from recollect.records import Directory

SESSION_PAUSE = 4 * 3600 * 1_000_000  # microseconds without a word that end a session
SESSION_MESSAGES = 64  # a talk that never pauses is cut into sessions of this many
FEW = 256  # new messages that are added one by one; more are put in order together

Keys = NDArray[np.int64]
Places = Callable[[Keys], Keys]
Row = tuple[Any, ...]  # message, conversation, seq, moment, importance, role, name, tokens, length, chunks, first


def build(rows: Sequence[Row], places: Places) -> Directory:
    """A directory of these messages, in this order."""
    names = tuple(dict.fromkeys(row[6] for row in rows if row[6] is not None))
    return _linked(_columns(rows, names, places))


def extended(directory: Directory, rows: Sequence[Row], places: Places) -> Directory:
    """The directory with these messages after those it has."""
    names = tuple(dict.fromkeys((*directory.names, *(row[6] for row in rows if row[6] is not None))))
    more = _columns(rows, names, places)
    given: dict[str, Any] = {name: np.concatenate([getattr(directory, name), getattr(more, name)]) for name in _GIVEN}
    joined = replace(more, **given)
    return _linked(joined) if len(rows) > FEW else _appended(directory, joined)


_GIVEN = (
    "messages",
    "conversations",
    "seqs",
    "moments",
    "importances",
    "roles",
    "speakers",
    "tokens",
    "lengths",
    "chunks",
    "firsts",
)


def _columns(rows: Sequence[Row], names: tuple[str, ...], places: Places) -> Directory:
    role = {name: number for number, name in enumerate(ROLES)}
    speaker = {name: number for number, name in enumerate(names)}
    none = np.empty(0, np.int64)
    return Directory(
        messages=np.array([row[0] for row in rows], np.int64),
        conversations=np.array([row[1] for row in rows], np.int64),
        seqs=np.array([row[2] for row in rows], np.int64),
        moments=np.array([row[3] for row in rows], np.int64),
        importances=np.array([row[4] for row in rows], np.float32),
        roles=np.array([role[row[5]] for row in rows], np.int8),
        speakers=np.array([-1 if row[6] is None else speaker[row[6]] for row in rows], np.int32),
        tokens=np.array([row[7] for row in rows], np.int64),
        lengths=np.array([row[8] for row in rows], np.float32),
        chunks=np.array([row[9] for row in rows], np.int64),
        firsts=np.array([row[10] for row in rows], np.int64),
        names=names,
        previous=none,
        following=none,
        sessions=none,
        places=places,
    )


def _linked(columns: Directory) -> Directory:
    """Finds every message's neighbours and session."""
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
    """Links the few messages that `joined` has more; puts all in order where one of them is not the last of its
    conversation."""
    old, count = len(before), len(joined)
    previous, following = (_resized(column, old, count) for column in (before.previous, before.following))
    sessions = np.append(before.sessions, np.zeros(count - old, np.int64))
    last: dict[int, int] = {}
    for at in range(old, count):
        conversation = int(joined.conversations[at])
        if conversation not in last:
            last[conversation] = _last(before, conversation)
        one = last[conversation]
        if one >= 0 and joined.seqs[one] >= joined.seqs[at]:
            return _linked(joined)
        if one >= 0:
            previous[at], following[one] = one, at
        sessions[at] = _session(joined, sessions[:at], one, at)
        last[conversation] = at
    return replace(joined, previous=previous, following=following, sessions=sessions)


def _resized(column: Keys, old: int, count: int) -> Keys:
    """Neighbours in a larger directory: "none" is its number of rows."""
    larger = np.full(count, count, np.int64)
    larger[:old] = np.where(column == old, count, column)
    return larger


def _last(directory: Directory, conversation: int) -> int:
    found = np.flatnonzero(directory.conversations == conversation)
    return int(found[np.argmax(directory.seqs[found])]) if len(found) else -1


def _session(joined: Directory, sessions: Keys, previous: int, at: int) -> int:
    new = int(sessions.max(initial=-1)) + 1
    if previous < 0 or joined.moments[at] - joined.moments[previous] > SESSION_PAUSE:
        return new
    session = sessions[previous]
    return new if np.count_nonzero(sessions == session) >= SESSION_MESSAGES else int(session)
