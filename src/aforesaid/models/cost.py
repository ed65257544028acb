"""Costs of language model calls, the daily token allowance, and the model that responds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Cost:
    """One call of a language model: who was asked, what for, and what it took. `error` says why it gave nothing."""

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
class CostTotal:
    """What the calls of one model for one operation took together. `failed` of them gave nothing; of `open` ones only
    what was set aside for them is known: they are under way, or their process was killed."""

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
class ResponderInfo:
    """The language model that answers in a conversation. `local`: no word leaves this machine. Where `model` is None
    nobody answers, and `reason` says why, and what to do."""

    model: str | None
    local: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class TokenAllowance:
    """Tokens of language models, of the whole store, since the day began (UTC). `cap` and `left` are None where
    nothing is capped."""

    since: datetime
    spent: int
    cap: int | None
    left: int | None
