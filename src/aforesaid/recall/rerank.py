"""Reranks the top candidates by their text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from aforesaid.errors import ProviderError
from aforesaid.models.index import Directory
from aforesaid.recall.bm25 import Column, DenseScores, Positions
from aforesaid.recall.fuse import ScoreColumns, dense_part, identifier_share
from aforesaid.recall.intent import TIME_MENTION
from aforesaid.recall.scoring import CandidateSet, recency
from aforesaid.storage.repositories.messages import Messages
from aforesaid.text.questions import question_share
from aforesaid.text.time_expressions import mentions_time

FULL_ACCESSES = 10  # accesses that count as 1


@dataclass(frozen=True, slots=True, eq=False)
class RerankCandidates:
    """The top candidates with the parts of their scores, their texts, the texts before them, and their accesses."""

    at: Positions
    parts: ScoreColumns
    texts: Sequence[str]
    before: Sequence[str]
    accesses: Sequence[int]


def read_texts(messages: Messages, space: str, directory: Directory, at: Positions) -> tuple[list[str], list[str]]:
    """The text of each message, and the text of the message before it. Empty if there is none."""
    keys = np.append(directory.messages, 0)  # no message has the key 0; it stands for "none before"
    own, previous = keys[at].tolist(), keys[directory.previous[at]].tolist()
    texts = messages.texts(space, sorted({*own, *previous} - {0}))
    return [texts.get(key, "") for key in own], [texts.get(key, "") for key in previous]


def rerank(candidates: CandidateSet, top: RerankCandidates, now: datetime) -> ScoreColumns:
    """The candidates' parts, completed with those that need the text of the message and of the one before it."""
    query, parts, texts = candidates.query.parsed, top.parts, top.texts
    questions = np.array([question_share(text) for text in texts], np.float64)
    mentions = np.array([query.wants_time and mentions_time(text) for text in texts], np.float64)
    return replace(
        parts,
        dense=parts.dense if candidates.dense.failure else _dense_with_question(candidates, top),
        identifier=np.array([identifier_share(text, query.identifiers) for text in texts], np.float64),
        recency=recency(candidates.directory.moments[top.at], now),
        access=np.minimum(np.array(top.accesses, np.float64) / FULL_ACCESSES, 1.0),
        time=np.minimum(parts.time + TIME_MENTION * mentions, 1.0),
        statement=1.0 - questions,
    )


def validated_scores(scores: Sequence[float], count: int, name: str) -> Column:
    """The scores of a reranker. Raises ProviderError if they are not `count` numbers between 0 and 1."""
    column = np.asarray(scores, np.float64)
    if column.shape != (count,) or not bool(((column >= 0) & (column <= 1)).all()):
        raise ProviderError(f"the reranker {name!r} must return {count} numbers between 0 and 1, one for each text")
    return column


def _dense_with_question(candidates: CandidateSet, top: RerankCandidates) -> Column:
    """The similarity of each candidate, increased by that of the question that it answers."""
    dense, at = candidates.dense, top.at
    own = np.append(dense.own, 0.0)
    previous = np.maximum(own[candidates.directory.previous[at]], 0.0)
    answered = previous * np.array([question_share(text) for text in top.before], np.float64)
    return dense_part(DenseScores(dense.own[at], dense.chunk[at], dense.session[at]), answered)
