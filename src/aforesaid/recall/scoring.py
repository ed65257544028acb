"""Scores every message of a space from its columns, without reading any text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from aforesaid.ids import microseconds
from aforesaid.models.index import Directory
from aforesaid.recall import intent
from aforesaid.recall.bm25 import Column, DenseScores, LexicalScores, Mask, Positions
from aforesaid.recall.candidates import EmbeddedQuery
from aforesaid.recall.fuse import ScoreColumns, Weights, dense_part, lexical_part

HALF_LIFE = 30 * 24 * 3600 * 1e6  # microseconds in which recency falls to a half
MAX_LEXICAL = 500  # best messages by words, whose vectors are always compared
QUOTE_OVERHEAD = 4  # tokens around a quoted text
FILL_MARGIN = 1.25  # an estimate of this many times the room is sure to fill it


@dataclass(frozen=True, slots=True, eq=False)
class CandidateSet:
    """The scores of all messages. `inside` are those that may be returned, `mentioning` the keys of those that mention
    the query's time."""

    query: EmbeddedQuery
    directory: Directory
    inside: Mask
    lexical: LexicalScores
    dense: DenseScores
    mentioning: frozenset[int]

    def relevant(self) -> Mask:
        """The messages inside that share a word or meaning with the query."""
        lexical = (self.lexical.own > 0) | (self.lexical.pair > 0) | (self.lexical.window > 0)
        relevant: Mask = self.inside & (lexical | (self.dense.own > 0))
        return relevant


def score_messages(candidates: CandidateSet, weights: Weights, now: datetime, boost: Column | None) -> ScoreColumns:
    """The parts of every message's score that need no text."""
    directory, parsed = candidates.directory, candidates.query.parsed
    zeros = np.zeros(len(directory))
    return ScoreColumns(
        dense=zeros if candidates.dense.failure else dense_part(candidates.dense),
        lexical=lexical_part(candidates.lexical, boost, candidates.inside),
        identifier=zeros,
        recency=recency(directory.moments, now) if weights.recency else zeros,
        importance=directory.importances.astype(np.float64),
        access=zeros,
        speaker=intent.speaker_part(directory, parsed),
        time=intent.time_part(directory, parsed, candidates.mentioning),
        statement=zeros,
    )


def recency(moments: Positions, now: datetime) -> Column:
    """1 for a message of now, 0.5 for one of a half-life ago."""
    part: Column = np.exp2(-np.maximum(microseconds(now) - moments, 0) / HALF_LIFE)
    return part


def best_by_words(scores: LexicalScores, inside: Mask) -> Positions:
    part = lexical_part(scores, None, inside)
    return top_positions(part, inside & (part > 0), MAX_LEXICAL)


def top_positions(totals: Column, among: Mask, limit: int) -> Positions:
    """The positions with the highest totals, best first. Of equal totals, the newer message is first."""
    at = np.flatnonzero(among)
    if len(at) > limit:
        least = np.partition(totals[at], len(at) - limit)[len(at) - limit]
        at = at[totals[at] >= least]
    return at[np.lexsort((-at, -totals[at]))][:limit]


def count_to_fill(directory: Directory, at: Positions, room: int, shown: Mask) -> int:
    """How many of the positions, in order, are sure to fill `room` tokens. A long message is quoted by one chunk; one
    that is shown anyway fills nothing."""
    quoted = (directory.tokens[at] / directory.chunks[at] + QUOTE_OVERHEAD) * ~shown
    return int(np.searchsorted(np.cumsum(quoted), FILL_MARGIN * room)) + 1
