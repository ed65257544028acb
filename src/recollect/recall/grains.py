"""A message is understood with what stands around it: itself, with the message before, in a window, in its session.

Every grain is BM25 over that much text, as a share of what a text that has every term of the question could reach. So
a grain lies between 0 and 1, means the same in a small space and in a large one, and grains can be added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.records import Directory, Postings, Similarities

K1 = 1.2
B = 0.75
AROUND_B = 0.2  # more, and a message that says it would stand below a shorter one beside it that does not
# How much a message counts in what stands around another: that one itself, its neighbour, the next but one.
PAIR: tuple[tuple[float, ...], tuple[float, ...]] = (0.5,), ()  # before it, after it
WINDOW: tuple[tuple[float, ...], tuple[float, ...]] = (0.8, 0.6, 0.4), (0.8, 0.6, 0.4)
LONGEST = 40.0  # terms of a message that count in a window: a long answer must not drown the words around it
UNSEEN = 0.0  # what has no vector yet is like nothing in particular
SPARSE = 16  # so many times fewer messages than a space has are put in order instead of counted in a column

Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Lexical:
    """For each message: its own score, its best chunk (0 for none), and the scores of what stands around it."""

    own: Column
    chunk: NDArray[np.int64]
    pair: Column
    window: Column
    session: Column
    weights: Column  # of the terms: how rare each is


@dataclass(frozen=True, slots=True, eq=False)
class Dense:
    """For each message: its similarity, the chunk that has it, and the best similarity in its session."""

    own: Column
    chunk: NDArray[np.int64]
    session: Column


def rarity(count: int, total: int) -> float:
    return float(np.log1p((total - count + 0.5) / (count + 0.5)))


def saturated(frequency: Column, length: Column, average: float, b: float = B) -> Column:
    """BM25's share of a term: between 0 and 1, the closer to 1 the more often it occurs in the less text."""
    share: Column = frequency / (frequency + K1 * (1 - b + b * length / max(average, 1.0)))
    return share


def lexical(around: Around, postings: Sequence[Postings]) -> Lexical:
    directory = around.directory
    size, average, spans = len(directory), around.average, around.spans
    pair, window, session = np.zeros(size), np.zeros(size), np.zeros(len(spans))
    weights, session_weight = np.zeros(len(postings)), 0.0
    for number, found in enumerate(postings):
        at, frequency = _by_message(directory, found)
        if not len(at):
            continue
        weights[number] = rarity(len(at), size)
        for grain, (before, after) in ((pair, PAIR), (window, WINDOW)):
            near, counts = around.holding(at, before, after)
            length = around.length(near, before, after)
            usual = average * (1 + sum(before) + sum(after))
            grain[near] += weights[number] * saturated(counts, length, usual, AROUND_B)
        said = np.bincount(directory.sessions[at], frequency, len(session)).astype(np.float64)
        inside = np.flatnonzero(said)
        weight = rarity(len(inside), len(session))
        session_weight += weight
        session[inside] += weight * saturated(said[inside], spans[inside], float(spans.mean()))
    own, chunk = _own(directory, postings, weights)
    total, whole = max(float(weights.sum()), 1e-9), max(session_weight, 1e-9)
    return Lexical(own / total, chunk, pair / total, window / total, session[directory.sessions] / whole, weights)


def dense(around: Around, found: Similarities) -> Dense:
    directory = around.directory
    own, chunk = _best(directory, found.chunks, found.scores, UNSEEN if found.rest is None else found.rest)
    best = np.full(len(around.spans), -np.inf)
    np.maximum.at(best, directory.sessions, own)
    return Dense(own, chunk, best[directory.sessions])


def around(directory: Directory, inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The messages of every session that one of those inside belongs to."""
    touched = np.zeros(_sessions(directory), bool)
    touched[directory.sessions[inside]] = True
    return touched[directory.sessions]


def _sessions(directory: Directory) -> int:
    return int(directory.sessions.max(initial=-1)) + 1


def _by_message(directory: Directory, found: Postings) -> tuple[NDArray[np.int64], Column]:
    """The messages that have a term, each once, and how often they have it."""
    at = directory.places(found.chunks)
    known = at >= 0
    messages, where = np.unique(at[known], return_inverse=True)
    return messages, np.bincount(where, found.frequencies[known], len(messages)).astype(np.float64)


def _own(directory: Directory, postings: Sequence[Postings], weights: Column) -> tuple[Column, NDArray[np.int64]]:
    """Each message's best chunk by BM25, and its score."""
    if not postings:
        return np.zeros(len(directory)), np.zeros(len(directory), np.int64)
    average = float(directory.lengths.sum()) / max(1, int(directory.chunks.sum()))
    shares = [
        weight * saturated(found.frequencies, found.lengths, average)
        for weight, found in zip(weights, postings, strict=True)
    ]
    chunks, where = np.unique(np.concatenate([found.chunks for found in postings]), return_inverse=True)
    scores = np.bincount(where, np.concatenate(shares), len(chunks))
    return _best(directory, chunks, scores, 0.0)


def _best(
    directory: Directory, chunks: NDArray[np.int64], scores: NDArray[Any], none: float
) -> tuple[Column, NDArray[np.int64]]:
    """Each message's best score and the chunk that has it; `none` and no chunk for those that have none."""
    at = directory.places(chunks)
    if (at < 0).any():
        known = at >= 0
        at, chunks, scores = at[known], chunks[known], scores[known]
    own, chunk = np.full(len(directory), -np.inf), np.zeros(len(directory), np.int64)
    np.maximum.at(own, at, scores.astype(np.float64))
    own[np.isneginf(own)] = none
    leads = scores >= own[at]
    chunk[at[leads]] = chunks[leads]
    return own, chunk


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """A directory's neighbours and lengths, as grains ask for them. The last row stands for what lies beyond a
    conversation's ends. `spans` is the length of each session."""

    directory: Directory
    previous: NDArray[np.int64]
    following: NDArray[np.int64]
    lengths: Column
    average: float
    spans: Column

    @classmethod
    def of(cls, directory: Directory) -> Around:
        size = len(directory)
        lengths = np.append(np.minimum(directory.lengths, LONGEST), 0.0).astype(np.float64)
        spans = np.bincount(directory.sessions, directory.lengths, _sessions(directory)).astype(np.float64)
        neighbours = np.append(directory.previous, size), np.append(directory.following, size)
        return cls(directory, *neighbours, lengths, float(lengths.sum()) / max(1, size), spans)

    def holding(
        self, at: NDArray[np.int64], before: Sequence[float], after: Sequence[float]
    ) -> tuple[NDArray[np.int64], Column]:
        """The messages whose surroundings hold one of `at`, and how much of them they hold."""
        reached, shares = [at], [1.0]
        for step, each in ((self.following, before), (self.previous, after)):
            place = at
            for share in each:
                place = step[place]
                reached.append(place)
                shares.append(share)
        if SPARSE * len(reached) * len(at) < len(self.lengths):
            near, where = np.unique(np.concatenate(reached), return_inverse=True)
            held: Column = np.bincount(where, np.repeat(shares, len(at))).astype(np.float64)
            return (near[:-1], held[:-1]) if near[-1] == len(self.lengths) - 1 else (near, held)
        counts: Column = np.zeros(len(self.lengths))
        for place, share in zip(reached, shares, strict=True):
            counts[place] += share
        counts[-1] = 0
        near = np.flatnonzero(counts > 0)
        return near, counts[near]

    def length(self, at: NDArray[np.int64], before: Sequence[float], after: Sequence[float]) -> Column:
        """How long the surroundings of `at` are, each message counted as much as it counts there."""
        total = self.lengths[at]
        for step, shares in ((self.previous, before), (self.following, after)):
            reached = at
            for share in shares:
                reached = step[reached]
                total = total + share * self.lengths[reached]
        return total
