"""Answers that models write now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from aforesaid.models.value import Value


@dataclass(frozen=True, slots=True)
class RunningAnswer(Value):
    """An answer that a model writes now, in any process. `question` is the id of the user's message. `retries` is how
    often the model was called again because it was busy or unreachable. `stopping`: somebody asked to stop it."""

    question: str
    model: str
    begun_at: datetime
    retries: int = 0
    stopping: bool = False


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """Who answers which message, in which conversation."""

    space: str
    conversation: str
    question: str
    holder: str
    model: str
