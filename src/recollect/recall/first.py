"""The first look: every message of a space, ranked by what is known without reading it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from recollect.ids import microseconds
from recollect.recall import cues
from recollect.recall.candidates import Meaning, Words
from recollect.recall.fuse import Parts, Weights, dense_part, lexical_part
from recollect.recall.grains import Lexical
from recollect.recall.query import Query
from recollect.records import Directory

HALF_LIFE = 30 * 24 * 3600 * 1e6  # microseconds in which recency falls to a half
WORDED = 500  # messages found by words whose meaning is compared in any case
QUOTED = 4  # tokens around a text that is shown
SURELY = 1.25  # of the room, by estimate, is sure to fill it

Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What is known about a question before anything is read. `inside` are the messages that may answer, `mentioning`
    the keys of those that speak of the time it asks about."""

    query: Query
    directory: Directory
    inside: NDArray[np.bool_]
    words: Words
    meaning: Meaning
    mentioning: frozenset[int]

    def answers(self) -> NDArray[np.bool_]:
        """The messages inside that have anything to do with the question."""
        words = self.words.found
        by_words = (words.own > 0) | (words.pair > 0) | (words.window > 0)
        found: NDArray[np.bool_] = self.inside & (by_words | (self.meaning.found.own > 0))
        return found


def look(known: Known, weights: Weights, now: datetime, boost: Column | None = None) -> Parts:
    """The parts of every message's score, as far as they can be told without its words."""
    directory, nothing = known.directory, np.zeros(len(known.directory))
    return Parts(
        dense=nothing if known.meaning.failure else dense_part(known.meaning.found),
        lexical=lexical_part(known.words.found, boost, known.inside),
        identifier=nothing,
        recency=recency(directory.moments, now) if weights.recency else nothing,
        importance=directory.importances.astype(np.float64),
        access=nothing,
        speaker=cues.speaker(directory, known.query),
        time=cues.time(directory, known.query, known.mentioning),
        statement=nothing,
    )


def recency(moments: NDArray[np.int64], now: datetime) -> Column:
    """1 for what is said now, a half for what was said a half-life ago."""
    part: Column = np.exp2(-np.maximum(microseconds(now) - moments, 0) / HALF_LIFE)
    return part


def by_words(found: Lexical, inside: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The positions that the words of a question say most for."""
    part = lexical_part(found, None, inside)
    return best(part, inside & (part > 0), WORDED)


def best(totals: Column, among: NDArray[np.bool_], limit: int) -> NDArray[np.int64]:
    """The positions with the highest totals, best first; among equals, what came in last."""
    at = np.flatnonzero(among)
    if len(at) > limit:
        least = np.partition(totals[at], len(at) - limit)[len(at) - limit]
        at = at[totals[at] >= least]
    return at[np.lexsort((-at, -totals[at]))][:limit]


def filling(directory: Directory, at: NDArray[np.int64], room: int) -> int:
    """How many of the positions, in order, are sure to fill so many tokens; of a long message, a chunk is shown."""
    shown = directory.tokens[at] / directory.chunks[at] + QUOTED
    return int(np.searchsorted(np.cumsum(shown), SURELY * room)) + 1


def total(parts: Parts, weights: Weights, rank_fusion: bool) -> Column:
    return parts.fused(weights) if rank_fusion else parts.total(weights)
