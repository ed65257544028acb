"""BM25 scores of a message, of the message with the one before it, of its window and of its session; and the vector
similarity of a message and of its session.

A BM25 score is a share of the highest score that a text with every query term can reach. So scores are between 0 and 1,
are comparable in small and large spaces, and can be added. A new store does not have most words of a question, so there
the words that no message has count too: a message with the only known one of three words is not a full match."""

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
Reach = tuple[tuple[float, ...], tuple[float, ...]]
PAIR: Reach = (0.5,), ()
WINDOW: Reach = (0.8, 0.6, 0.4), (0.8, 0.6, 0.4)
MAX_MESSAGE_TERMS = 40.0  # terms of one message that count in a window, so that a long answer does not dominate it
NEW_STORE = 50  # messages of a space in which a term that it does not have counts a quarter
NO_VECTOR_SIMILARITY = 0.0  # of a message without a vector
SPARSE_FACTOR = 16  # sort positions instead of filling a column if they are this many times fewer than the messages
FEW_CELLS = 1 << 15  # a column of so few cells is filled faster than any positions are sorted
GROUP_CELLS = 1 << 17  # terms times messages that are scored together
COUNTED = ("frequencies", "lengths")  # of postings
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
    reason why the search failed; then every similarity is −1. If only the nearest messages
    were compared, the others have the similarity `rest`, which is the highest that they can have."""

    own: Column
    chunk: Positions
    session: Column
    failure: Exception | None = None
    rest: float | None = None

    def without_vector(self, at: Positions) -> Mask:
        """Which of these messages have no vector yet."""
        missing: Mask = (self.chunk[at] == 0) & (self.own[at] == NO_VECTOR_SIMILARITY)
        return missing

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
    """Scores the terms in groups: one numpy call for many terms costs little more than one for a single term."""
    directory = around.directory
    size, sessions = len(directory), len(around.spans)
    count = size - directory.hidden
    pair, window, session = np.zeros(size), np.zeros(size), np.zeros(sessions)
    weights, session_weights = np.zeros(len(postings)), np.zeros(len(postings))
    together = max(1, GROUP_CELLS // (size + 1))
    for first in range(0, len(postings), together):
        group = slice(first, first + together)
        found = TermMessages.of(directory, postings[group])
        weights[group] = found.idf(count)
        for scores, reach, lengths in ((pair, PAIR, around.pair_lengths), (window, WINDOW, around.window_lengths)):
            near, term, counts = around.containing(found, reach)
            usual = around.average * (1 + sum(reach[0]) + sum(reach[1]))
            np.add.at(scores, near, weights[group][term] * bm25_share(counts, lengths[near], usual, WINDOW_B))
        inside = found.by_session(directory.sessions, sessions)
        session_weights[group] = inside.idf(sessions)
        spans = around.spans[inside.at]
        share = bm25_share(inside.frequencies, spans, float(around.spans.mean())) if len(spans) else spans
        np.add.at(session, inside.at, session_weights[group][inside.term] * share)
    own, chunk = _own_scores(directory, postings, weights)
    total, whole = max(_whole_weight(weights, count), 1e-9), max(sum(session_weights.tolist()), 1e-9)
    return LexicalScores(own / total, chunk, pair / total, window / total, session[directory.sessions] / whole, weights)


def _whole_weight(weights: Column, size: int) -> float:
    """The weight of all query terms. Those that the space does not have count less, the larger it is."""
    unknown = int((weights == 0).sum()) * idf(0, size) * (NEW_STORE / (NEW_STORE + size)) ** 2
    return float(weights.sum()) + unknown


def dense_scores(around: Neighborhood, similarities: Similarities) -> DenseScores:
    directory = around.directory
    rest = NO_VECTOR_SIMILARITY if similarities.rest is None else similarities.rest
    own, chunk = _best_chunks(directory, similarities.chunks, similarities.scores, rest)
    best = np.full(len(around.spans), -np.inf)
    np.maximum.at(best, directory.sessions, own)
    return DenseScores(own, chunk, best[directory.sessions], rest=similarities.rest)


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


def _own_scores(directory: Directory, postings: Sequence[Postings], weights: Column) -> tuple[Column, Positions]:
    """The BM25 score of each message's best chunk, and that chunk."""
    if not postings:
        return np.zeros(len(directory)), np.zeros(len(directory), np.int64)
    average = float(directory.lengths.sum()) / max(1, int(directory.chunks.sum()))
    frequencies, lengths = (np.concatenate([getattr(one, name) for one in postings]) for name in COUNTED)
    repeated = np.repeat(weights, [len(posting.chunks) for posting in postings])
    shares = repeated * bm25_share(frequencies, lengths, average)
    chunks, where = np.unique(np.concatenate([posting.chunks for posting in postings]), return_inverse=True)
    scores = np.bincount(where, shares, len(chunks))
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
class TermMessages:
    """The messages, or the sessions, that have each of `terms` terms: the number of the term, the position, and how
    often the term occurs there. Ordered by term, then by position."""

    terms: int
    term: Positions
    at: Positions
    frequencies: Column

    @classmethod
    def of(cls, directory: Directory, postings: Sequence[Postings]) -> TermMessages:
        term = np.repeat(np.arange(len(postings)), [len(posting.chunks) for posting in postings])
        at = directory.places(np.concatenate([posting.chunks for posting in postings]))
        frequencies = np.concatenate([posting.frequencies for posting in postings])
        if (at < 0).any():
            known = at >= 0
            term, at, frequencies = term[known], at[known], frequencies[known]
        return cls._sum(len(postings), len(directory), term, at, frequencies)

    @classmethod
    def _sum(cls, terms: int, size: int, term: Positions, at: Positions, frequencies: Column) -> TermMessages:
        keys, sums = _sum_by_key(term * size + at, frequencies, terms * size)
        return cls(terms, *np.divmod(keys, max(size, 1)), sums)

    def by_session(self, session_of: Positions, sessions: int) -> TermMessages:
        return self._sum(self.terms, sessions, self.term, session_of[self.at], self.frequencies)

    def idf(self, total: int) -> Column:
        """The weight of each term; 0 for a term that occurs nowhere."""
        counts = np.bincount(self.term, minlength=self.terms)
        weights: Column = np.where(counts > 0, np.log1p((total - counts + 0.5) / (counts + 0.5)), 0.0)
        return weights


def _sum_by_key(keys: Positions, values: Column, size: int) -> tuple[Positions, Column]:
    """The distinct keys, and the sum of the values of each. Keys are below `size`, values above 0."""
    if SPARSE_FACTOR * len(keys) < size and size > FEW_CELLS:
        distinct, where = np.unique(keys, return_inverse=True)
        return distinct, np.bincount(where, values, len(distinct)).astype(np.float64)
    sums = np.bincount(keys, values, size).astype(np.float64)
    distinct = np.flatnonzero(sums > 0)  # of booleans, it is several times faster
    return distinct, sums[distinct]


@dataclass(frozen=True, slots=True, eq=False)
class Neighborhood:
    """The neighbours and lengths of a directory's messages. The last row of each column stands for "no message": it is
    the neighbour beyond the ends of a conversation. `spans` is the length of each session."""

    directory: Directory
    previous: Positions
    following: Positions
    average: float
    spans: Column
    pair_lengths: Column
    window_lengths: Column

    @classmethod
    def of(cls, directory: Directory) -> Neighborhood:
        size = len(directory)
        lengths = np.append(np.minimum(directory.lengths, MAX_MESSAGE_TERMS), 0.0).astype(np.float64)
        spans = np.bincount(directory.sessions, directory.lengths, _sessions(directory)).astype(np.float64)
        previous, following = np.append(directory.previous, size), np.append(directory.following, size)
        surroundings = (_surrounding_lengths(lengths, (previous, following), reach) for reach in (PAIR, WINDOW))
        return cls(directory, previous, following, float(lengths.sum()) / max(1, size), spans, *surroundings)

    def containing(self, found: TermMessages, reach: Reach) -> tuple[Positions, Positions, Column]:
        """The messages whose surroundings contain a term: their positions, the number of the term, and the weighted
        count of the messages there that have it."""
        reached, shares = [found.at], [1.0]
        for step, weights in zip((self.following, self.previous), reach, strict=True):
            place = found.at
            for share in weights:
                place = step[place]
                reached.append(place)
                shares.append(share)
        size = len(self.previous)
        keys = np.concatenate(reached) + np.tile(found.term * size, len(reached))
        near, counts = _sum_by_key(keys, np.repeat(shares, len(found.at)), found.terms * size)
        term, at = np.divmod(near, size)
        inside = at < size - 1
        return at[inside], term[inside], counts[inside]


def _surrounding_lengths(lengths: Column, steps: tuple[Positions, Positions], reach: Reach) -> Column:
    """The weighted length of the surroundings of each message. `steps` lead to the previous and following messages."""
    total = lengths
    for step, weights in zip(steps, reach, strict=True):
        reached = np.arange(len(lengths))
        for share in weights:
            reached = step[reached]
            total = total + share * lengths[reached]
    return total
