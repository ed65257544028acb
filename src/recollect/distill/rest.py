"""How long a model is left alone that turns everybody away."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from recollect.errors import ProviderRefused

FIRST = timedelta(seconds=1)
LONGEST = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Pause:
    """What a model said when it was last asked, how long it is not asked again, and until when."""

    reason: str
    length: timedelta
    until: datetime


@dataclass(frozen=True, slots=True)
class Rest:
    """Models by name that cannot be used before somebody mends something: each is asked after a pause that doubles."""

    pauses: dict[str, Pause] = field(default_factory=dict)

    def check(self, name: str, now: datetime) -> None:
        """ProviderRefused, as the last time, while the model is left alone."""
        pause = self.pauses.get(name)
        if pause is not None and now < pause.until:
            raise ProviderRefused(pause.reason, mendable=True)

    def begin(self, name: str, reason: str, now: datetime) -> None:
        last = self.pauses.get(name)
        length = FIRST if last is None else min(last.length * 2, LONGEST)
        self.pauses[name] = Pause(reason, length, now + length)

    def end(self, name: str) -> None:
        self.pauses.pop(name, None)
