"""What thinking may cost, and what it did cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from recollect.models import Allowance, Cost
from recollect.ports import Clock, Costs


@dataclass(frozen=True, slots=True)
class Purse:
    """Every call is written down before it is made, with the most that it may take, and again when it is over.

    So a day's `cap` (UTC, of the whole store) holds across processes, and a killed one has paid what it set aside.
    """

    costs: Costs
    cap: int | None
    clock: Clock
    make_id: Callable[[datetime], str]

    def reserve(self, space: str, model: str, operation: str, tokens: tuple[int, int]) -> Cost:
        """Sets tokens aside, for the prompt and for the answer; CapReached where the day has no such room."""
        now = self.clock()
        cost = Cost(self.make_id(now), space, now, model, operation, *tokens, 0.0, None)
        self.costs.reserve(cost, day(now), self.cap)
        return cost

    def settle(self, cost: Cost, tokens: tuple[int, int], milliseconds: float, error: str | None) -> Cost:
        """Puts what a call took in the place of what was set aside."""
        prompt, completion = tokens
        taken = replace(
            cost, prompt_tokens=prompt, completion_tokens=completion, milliseconds=milliseconds, error=error
        )
        self.costs.settle(taken)
        return taken

    def allowance(self) -> Allowance:
        """What is spent today, and what is left."""
        since = day(self.clock())
        spent = self.costs.spent(since)
        return Allowance(since, spent, self.cap, None if self.cap is None else max(self.cap - spent, 0))


def day(at: datetime) -> datetime:
    """When the day of that moment began, in UTC."""
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
