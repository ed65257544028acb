"""Consolidation: weak old memories are put away, and what says the same is merged. Shown first, undone if wrong."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from recollect.distill.lifecycle import returned
from recollect.errors import InvalidInput
from recollect.ids import Ids
from recollect.models import Consolidation
from recollect.ports import Clock, Consolidations
from recollect.records import Weakness
from recollect.text.decay import HALF_LIFE, MOST_FROM_ACCESSES, PER_ACCESS

WEAK = 0.3  # importance times decay
OLD = 30  # days


@dataclass(frozen=True, slots=True)
class Consolidating:
    store: Consolidations
    clock: Clock
    ids: Ids

    def consolidate(self, space: str, days: int, *, dry_run: bool) -> Consolidation:
        """What would be done, or was done, in one transaction. The sources stay."""
        now = self.clock()
        weakness = Weakness(_before(now, days), WEAK, HALF_LIFE, PER_ACCESS, MOST_FROM_ACCESSES)
        if dry_run:
            return self.store.plan(space, weakness, now)
        return self.store.run(space, weakness, self.ids.make(now), now)

    def undo(self, space: str) -> Consolidation:
        """What has got another in its place since does not push that out."""
        now = self.clock()
        return self.store.undo(space, now, lambda seen, id: returned(seen, id, now))


def _before(now: datetime, days: int) -> datetime:
    try:
        return now - timedelta(days=days)
    except OverflowError as exc:
        raise InvalidInput(f"days {days} reach back to before the year 1; give fewer") from exc
