"""Consolidation: archives weak old memories and merges duplicates. It can be previewed and undone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from aforesaid.distill.facts.lifecycle import restore
from aforesaid.errors import InvalidInput
from aforesaid.ids import Ids
from aforesaid.models.consolidation import Consolidation, ConsolidationCriteria
from aforesaid.ports import Clock
from aforesaid.storage.repositories.consolidations import Consolidations
from aforesaid.text.decay import HALF_LIFE, MOST_FROM_ACCESSES, PER_ACCESS

WEAK_STRENGTH = 0.3  # importance times decay
OLD_DAYS = 30


@dataclass(frozen=True, slots=True)
class Consolidator:
    store: Consolidations
    clock: Clock
    ids: Ids

    def consolidate(self, space: str, days: int, *, dry_run: bool) -> Consolidation:
        """Archives and merges in one transaction; with `dry_run`, only lists the changes. Evidence is kept."""
        now = self.clock()
        try:
            before = now - timedelta(days=days)
        except OverflowError as exc:
            raise InvalidInput(f"days {days} reach back to before the year 1; give fewer") from exc
        criteria = ConsolidationCriteria(before, WEAK_STRENGTH, HALF_LIFE, PER_ACCESS, MOST_FROM_ACCESSES)
        if dry_run:
            return self.store.plan(space, criteria, now)
        return self.store.run(space, criteria, self.ids.make(now), now)

    def undo(self, space: str) -> Consolidation:
        """Restores the memories that the last consolidation archived or merged, unless they were replaced since."""
        now = self.clock()
        return self.store.undo(space, now, lambda known, id: restore(known, id, now))
