"""Costs of language model calls, the daily token allowance, and the model that responds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from aforesaid.models.value import Value


@dataclass(frozen=True, slots=True)
class Cost(Value):
    """The cost of one call of a language model. `error` is the reason of a failure."""

    id: str
    space: str | None
    at: datetime
    model: str
    operation: str
    prompt_tokens: int
    completion_tokens: int
    milliseconds: float
    error: str | None


@dataclass(frozen=True, slots=True)
class CostTotal(Value):
    """The total cost of one model for one operation. `open` calls have no end yet; they count with reserved tokens."""

    model: str
    operation: str
    calls: int
    failed: int
    open: int
    prompt_tokens: int
    completion_tokens: int
    milliseconds: float

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class ResponderInfo(Value):
    """The model that answers in a conversation; `local` if no text leaves this machine. If it is None, `reason` says
    why and what to do."""

    model: str | None
    local: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class TokenAllowance(Value):
    """The tokens that language models used today (UTC), in the whole store. `cap` and `left` are None without a cap."""

    since: datetime
    spent: int
    cap: int | None
    left: int | None
