"""Feedback on recalled messages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from aforesaid.models.value import Value

Verdict = Literal["useful", "useless", "quoted"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@dataclass(frozen=True, slots=True)
class Feedback(Value):
    """A verdict on a message, as an answer to one question. `terms` are numbers: 16 bits of a hash of each term of the
    question, from which its words cannot be restored."""

    message_id: str
    verdict: Verdict
    terms: tuple[int, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class RatedMessage(Value):
    """The feedback on a message: the number of questions with each verdict, and the time of the last one.
    `correction`, from −1 to 1, is what a recall adds to its score, times the setting `weight_feedback`: for the
    question that was given, or else for the questions of the verdicts themselves."""

    message_id: str
    useful: int
    useless: int
    quoted: int
    last_at: datetime
    correction: float
