"""The second look: the best candidates, with their words before one's eyes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from recollect.ports import Messages
from recollect.recall.cues import SAYS_WHEN
from recollect.recall.first import Known, recency
from recollect.recall.fuse import Parts, dense_part, share
from recollect.recall.grains import Dense
from recollect.records import Directory
from recollect.text.questions import asking
from recollect.text.times import hints

OFTEN = 10  # accesses that count as 1

Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """Messages that were read, with the parts of their scores and how often each was handed out before."""

    at: Positions
    parts: Parts
    texts: Sequence[str]
    accesses: Sequence[int]


class Reader:
    """Reads the words of messages by position."""

    def __init__(self, messages: Messages, space: str, directory: Directory) -> None:
        self._messages = messages
        self._space = space
        self._directory = directory

    def texts(self, at: Positions) -> list[str]:
        keys = self._directory.messages[at].tolist()
        found = self._messages.texts(self._space, keys)
        return [found.get(key, "") for key in keys]

    def before(self, at: Positions) -> list[str]:
        """The words of the message before each; nothing where there is none."""
        size = len(self._directory)
        previous = self._directory.previous[at]
        there = np.unique(previous[previous < size])
        words: Mapping[int, str] = dict(zip(there.tolist(), self.texts(there), strict=True))
        return [words.get(one, "") for one in previous.tolist()]


def look(known: Known, candidates: Read, before: Sequence[str], now: datetime) -> Parts:
    """The candidates' parts, with what only their words and those before them can tell."""
    query, parts = known.query, candidates.parts
    asks = np.array([asking(text) for text in candidates.texts], np.float64)
    says = np.array([query.wants_time and hints(text) for text in candidates.texts], np.float64)
    return replace(
        parts,
        dense=parts.dense if known.meaning.failure else _answering(known, candidates.at, before),
        identifier=np.array([share(text, query.identifiers) for text in candidates.texts], np.float64),
        recency=recency(known.directory.moments[candidates.at], now),
        access=np.minimum(np.array(candidates.accesses, np.float64) / OFTEN, 1.0),
        time=np.minimum(parts.time + SAYS_WHEN * says, 1.0),
        statement=1.0 - asks,
    )


def _answering(known: Known, at: Positions, before: Sequence[str]) -> NDArray[np.float64]:
    """Similarity, with that of the question that a message answers."""
    found = known.meaning.found
    own = np.append(found.own, 0.0)
    previous = np.maximum(own[known.directory.previous[at]], 0.0)
    answered = previous * np.array([asking(text) for text in before], np.float64)
    return dense_part(Dense(found.own[at], found.chunk[at], found.session[at]), answered)
