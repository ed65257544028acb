"""Back-off for a model that keeps refusing: the pause doubles up to five minutes."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from aforesaid.errors import ProviderRefused

FIRST_PAUSE = timedelta(seconds=1)
LONGEST_PAUSE = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class BackoffState:
    reason: str  # the last refusal
    length: timedelta
    until: datetime


@dataclass(frozen=True, slots=True)
class Backoff:
    """The models, by name, that refuse every call until someone fixes the configuration."""

    pauses: dict[str, BackoffState] = field(default_factory=dict)

    def check(self, name: str, now: datetime) -> None:
        """Raises the last ProviderRefused again during the pause of a model."""
        pause = self.pauses.get(name)
        if pause is not None and now < pause.until:
            raise ProviderRefused(pause.reason, mendable=True)

    def begin(self, name: str, reason: str, now: datetime) -> None:
        last = self.pauses.get(name)
        length = FIRST_PAUSE if last is None else min(last.length * 2, LONGEST_PAUSE)
        self.pauses[name] = BackoffState(reason, length, now + length)

    def end(self, name: str) -> None:
        self.pauses.pop(name, None)
