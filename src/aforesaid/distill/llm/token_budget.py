"""The daily token cap: every call reserves its maximum first and settles its real cost afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from aforesaid.models.cost import Cost, TokenAllowance
from aforesaid.ports import Clock
from aforesaid.storage.repositories.costs import Costs


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """Daily tokens (UTC) of language models, for all processes. A killed call has spent its reserved tokens."""

    costs: Costs
    cap: int | None
    clock: Clock
    make_id: Callable[[datetime], str]

    def reserve(self, space: str, model: str, operation: str, tokens: tuple[int, int]) -> Cost:
        """Reserves tokens for the prompt and for the answer. Raises CapReached if fewer are left today."""
        now = self.clock()
        cost = Cost(self.make_id(now), space, now, model, operation, *tokens, 0.0, None)
        self.costs.reserve(cost, day_start(now), self.cap)
        return cost

    def settle(self, cost: Cost, tokens: tuple[int, int], milliseconds: float, error: str | None) -> Cost:
        """Replaces the reserved tokens by those that the call used."""
        prompt, completion = tokens
        used = replace(cost, prompt_tokens=prompt, completion_tokens=completion, milliseconds=milliseconds, error=error)
        self.costs.settle(used)
        return used

    def allowance(self) -> TokenAllowance:
        since = day_start(self.clock())
        spent = self.costs.spent(since)
        return TokenAllowance(since, spent, self.cap, None if self.cap is None else max(self.cap - spent, 0))


def day_start(at: datetime) -> datetime:
    """The start of the UTC day that contains `at`."""
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
