"""BM25 scores of a message, of the message with the one before it, of its window and of its session; and the vector
similarity of a message and of its session.

A BM25 score is a share of the highest score that a text with every query term can reach. So scores are between 0 and 1,
are comparable in small and large spaces, and can be added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aforesaid.models.index import Directory, Postings, Similarities
from aforesaid.storage.repositories.lexical import Lexical
from aforesaid.text.analyzer import query_terms

K1 = 1.2
B = 0.75
WINDOW_B = 0.2  # higher, and a message with the terms ranks below a shorter neighbour without them
# Weights of the neighbours of a message, nearest first: (before it, after it).
PAIR: tuple[tuple[float, ...], tuple[float, ...]] = (0.5,), ()
WINDOW: tuple[tuple[float, ...], tuple[float, ...]] = (0.8, 0.6, 0.4), (0.8, 0.6, 0.4)
MAX_MESSAGE_TERMS = 40.0  # terms of one message that count in a window, so that a long answer does not dominate it
NO_VECTOR_SIMILARITY = 0.0  # of a message without a vector
SPARSE_FACTOR = 16  # sort positions instead of filling a column if they are this many times fewer than the messages
BOOST_TERMS = 16  # terms of a boost text that are searched

Column = NDArray[np.float64]
Positions = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class LexicalScores:
    """For each message: its own score, its best chunk (0 for none), and the scores of its surroundings. `weights` are
    the IDF weights of the query terms. `failure` is the reason why the search failed; then every score is 0."""

    own: Column
    chunk: Positions
    pair: Column
    window: Column
    session: Column
    weights: Column
    failure: Exception | None = None

    @classmethod
    def none(cls, directory: Directory, terms: int, failure: Exception | None = None) -> LexicalScores:
        zeros = np.zeros(len(directory))
        return cls(zeros, zeros.astype(np.int64), zeros, zeros, zeros, np.zeros(terms), failure)


@dataclass(frozen=True, slots=True, eq=False)
class DenseScores:
    """For each message: its similarity, the chunk that has it, and the best similarity in its session. `failure` is the
    reason why the search failed; then every similarity is −1."""

    own: Column
    chunk: Positions
    session: Column
    failure: Exception | None = None

    @classmethod
    def none(cls, directory: Directory, failure: Exception | None) -> DenseScores:
        lowest = np.full(len(directory), -1.0)
        return cls(lowest, np.zeros(len(directory), np.int64), lowest, failure)


def idf(count: int, total: int) -> float:
    return float(np.log1p((total - count + 0.5) / (count + 0.5)))


def bm25_share(frequency: Column, length: Column, average: float, b: float = B) -> Column:
    """BM25's saturated term frequency, between 0 and 1. It rises with the frequency and falls with the text length."""
    share: Column = frequency / (frequency + K1 * (1 - b + b * length / max(average, 1.0)))
    return share


def lexical_scores(around: Neighborhood, postings: Sequence[Postings]) -> LexicalScores:
    directory = around.directory
    size, average, spans = len(directory), around.average, around.spans
    pair, window, session = np.zeros(size), np.zeros(size), np.zeros(len(spans))
    weights, session_weight = np.zeros(len(postings)), 0.0
    for number, posting in enumerate(postings):
        at, frequency = _by_message(directory, posting)
        if not len(at):
            continue
        weights[number] = idf(len(at), size)
        for scores, (before, after) in ((pair, PAIR), (window, WINDOW)):
            near, counts = around.containing(at, before, after)
            length = around.length(near, before, after)
            usual = average * (1 + sum(before) + sum(after))
            scores[near] += weights[number] * bm25_share(counts, length, usual, WINDOW_B)
        by_session = np.bincount(directory.sessions[at], frequency, len(session)).astype(np.float64)
        inside = np.flatnonzero(by_session)
        weight = idf(len(inside), len(session))
        session_weight += weight
        session[inside] += weight * bm25_share(by_session[inside], spans[inside], float(spans.mean()))
    own, chunk = _own_scores(directory, postings, weights)
    total, whole = max(float(weights.sum()), 1e-9), max(session_weight, 1e-9)
    return LexicalScores(own / total, chunk, pair / total, window / total, session[directory.sessions] / whole, weights)


def dense_scores(around: Neighborhood, similarities: Similarities) -> DenseScores:
    directory = around.directory
    rest = NO_VECTOR_SIMILARITY if similarities.rest is None else similarities.rest
    own, chunk = _best_chunks(directory, similarities.chunks, similarities.scores, rest)
    best = np.full(len(around.spans), -np.inf)
    np.maximum.at(best, directory.sessions, own)
    return DenseScores(own, chunk, best[directory.sessions])


def session_mask(directory: Directory, inside: Mask) -> Mask:
    """The messages of every session that has a message inside."""
    touched = np.zeros(_sessions(directory), bool)
    touched[directory.sessions[inside]] = True
    return touched[directory.sessions]


def boost_column(lexical: Lexical, space: str, directory: Directory, text: str) -> Column:
    """The share of a text's terms that each message has, weighted by IDF."""
    part, whole = np.zeros(len(directory)), 0.0
    for chunks in lexical.having(space, query_terms(text, BOOST_TERMS)):
        at = directory.places(chunks)
        messages = np.unique(at[at >= 0])
        weight = idf(len(messages), len(directory)) if len(messages) else 0.0
        part[messages] += weight
        whole += weight
    return part / whole if whole else part


def _sessions(directory: Directory) -> int:
    return int(directory.sessions.max(initial=-1)) + 1


def _by_message(directory: Directory, posting: Postings) -> tuple[Positions, Column]:
    """The distinct messages that have a term, and how often each has it."""
    at = directory.places(posting.chunks)
    known = at >= 0
    messages, where = np.unique(at[known], return_inverse=True)
    return messages, np.bincount(where, posting.frequencies[known], len(messages)).astype(np.float64)


def _own_scores(directory: Directory, postings: Sequence[Postings], weights: Column) -> tuple[Column, Positions]:
    """The BM25 score of each message's best chunk, and that chunk."""
    if not postings:
        return np.zeros(len(directory)), np.zeros(len(directory), np.int64)
    average = float(directory.lengths.sum()) / max(1, int(directory.chunks.sum()))
    shares = [
        weight * bm25_share(posting.frequencies, posting.lengths, average)
        for weight, posting in zip(weights, postings, strict=True)
    ]
    chunks, where = np.unique(np.concatenate([posting.chunks for posting in postings]), return_inverse=True)
    scores = np.bincount(where, np.concatenate(shares), len(chunks))
    return _best_chunks(directory, chunks, scores, 0.0)


def _best_chunks(
    directory: Directory, chunks: Positions, scores: NDArray[Any], default: float
) -> tuple[Column, Positions]:
    """Each message's best score and the chunk that has it; `default` and chunk 0 for a message without a chunk."""
    at = directory.places(chunks)
    if (at < 0).any():
        known = at >= 0
        at, chunks, scores = at[known], chunks[known], scores[known]
    own, chunk = np.full(len(directory), -np.inf), np.zeros(len(directory), np.int64)
    np.maximum.at(own, at, scores.astype(np.float64))
    own[np.isneginf(own)] = default
    leads = scores >= own[at]
    chunk[at[leads]] = chunks[leads]
    return own, chunk


@dataclass(frozen=True, slots=True, eq=False)
class Neighborhood:
    """The neighbours and lengths of a directory's messages. The last row of each column stands for "no message": it is
    the neighbour beyond the ends of a conversation. `spans` is the length of each session."""

    directory: Directory
    previous: Positions
    following: Positions
    lengths: Column
    average: float
    spans: Column

    @classmethod
    def of(cls, directory: Directory) -> Neighborhood:
        size = len(directory)
        lengths = np.append(np.minimum(directory.lengths, MAX_MESSAGE_TERMS), 0.0).astype(np.float64)
        spans = np.bincount(directory.sessions, directory.lengths, _sessions(directory)).astype(np.float64)
        neighbours = np.append(directory.previous, size), np.append(directory.following, size)
        return cls(directory, *neighbours, lengths, float(lengths.sum()) / max(1, size), spans)

    def containing(self, at: Positions, before: Sequence[float], after: Sequence[float]) -> tuple[Positions, Column]:
        """The messages whose surroundings contain one of `at`, and the weighted count that they contain."""
        reached, shares = [at], [1.0]
        for step, weights in ((self.following, before), (self.previous, after)):
            place = at
            for share in weights:
                place = step[place]
                reached.append(place)
                shares.append(share)
        if SPARSE_FACTOR * len(reached) * len(at) < len(self.lengths):
            near, where = np.unique(np.concatenate(reached), return_inverse=True)
            sums: Column = np.bincount(where, np.repeat(shares, len(at))).astype(np.float64)
            return (near[:-1], sums[:-1]) if near[-1] == len(self.lengths) - 1 else (near, sums)
        counts: Column = np.zeros(len(self.lengths))
        for place, share in zip(reached, shares, strict=True):
            counts[place] += share
        counts[-1] = 0
        near = np.flatnonzero(counts > 0)
        return near, counts[near]

    def length(self, at: Positions, before: Sequence[float], after: Sequence[float]) -> Column:
        """The weighted length of the surroundings of `at`."""
        total = self.lengths[at]
        for step, weights in ((self.previous, before), (self.following, after)):
            reached = at
            for share in weights:
                reached = step[reached]
                total = total + share * self.lengths[reached]
        return total
