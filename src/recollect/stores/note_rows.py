"""Notes between a store's rows and recollect's values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.models import NOTE_KINDS
from recollect.records import FoundNote, NoteDirectory
from recollect.stores import rows

Row = tuple[Any, ...]

EARLIEST, LATEST = np.iinfo(np.int64).min, np.iinfo(np.int64).max
COLUMNS = [field.name for field in fields(NoteDirectory) if field.name != "names"]
_KIND = {kind: number for number, kind in enumerate(NOTE_KINDS)}
_NOTHING = np.empty(0, np.int64)

EMPTY = NoteDirectory(
    names=(),
    keys=_NOTHING,
    kinds=np.empty(0, np.int8),
    conversations=_NOTHING,
    moments=_NOTHING,
    importances=np.empty(0, np.float64),
    types=np.empty(0, np.int32),
    valid_from=_NOTHING,
    valid_until=_NOTHING,
    known_from=_NOTHING,
    known_until=_NOTHING,
    closed_at=_NOTHING,
    current=np.empty(0, np.bool_),
)


def found(row: Row) -> FoundNote:
    """From: kind, id, text, importance, at, type, messages, conversation."""
    kind, id, text, importance, at, type_, messages, conversation = row
    return FoundNote(
        kind, id, text, importance, rows.moment(at), type_, tuple(json.loads(messages)), conversation or ""
    )


def extended(directory: NoteDirectory, found: Sequence[Row]) -> NoteDirectory:
    """The directory with rows (key, kind, conversation, at, importance, type, valid from and until, known from and
    until, closed at, current) after its own."""
    key, kind, conversation, at, importance, type_, *times, current = zip(*found, strict=True)
    names = tuple(dict.fromkeys((*directory.names, *type_)))
    number = {name: at for at, name in enumerate(names)}
    more = NoteDirectory(
        names,
        np.array(key, np.int64),
        np.array([_KIND[one] for one in kind], np.int8),
        np.array([one or 0 for one in conversation], np.int64),
        np.array(at, np.int64),
        np.array(importance, np.float64),
        np.array([number[one] for one in type_], np.int32),
        _ends(times[0], EARLIEST),
        _ends(times[1], LATEST),
        _ends(times[2], EARLIEST),
        _ends(times[3], LATEST),
        _ends(times[4], EARLIEST),
        np.array(current, np.bool_),
    )
    columns = [np.concatenate([getattr(directory, name), getattr(more, name)]) for name in COLUMNS]
    return NoteDirectory(names, *columns)


def without(directory: NoteDirectory, keys: Sequence[int]) -> NoteDirectory:
    stays = ~np.isin(directory.keys, keys)
    return NoteDirectory(directory.names, *(getattr(directory, name)[stays] for name in COLUMNS))


def _ends(moments: Sequence[int | None], otherwise: int) -> NDArray[np.int64]:
    return np.array([otherwise if one is None else one for one in moments], np.int64)
