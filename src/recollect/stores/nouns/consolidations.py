"""Consolidation: what is weak is put away, what says the same is merged, all of it in one transaction.

Memories are read a page at a time; of each, no more is kept than a digest of what it says. Nothing is deleted: a record
that was merged stays beside the one that took its evidence, and the last consolidation can be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from recollect.errors import NotFound
from recollect.ids import microseconds
from recollect.models import Consolidated, Consolidation
from recollect.records import Change, Seen, Topic, Weakness
from recollect.stores import queries
from recollect.stores.database import Database, Row, Session
from recollect.stores.nouns import consolidated_episodes, consolidated_facts, fact_changes, fact_topics, spaces
from recollect.stores.nouns.consolidated_facts import Merge, Scope
from recollect.stores.rows import moment, moment_or_none

SQL = queries.named("consolidations")
SHOWN = 1000  # records that a report names; it counts them all


class Consolidations:
    def __init__(self, database: Database) -> None:
        self._database = database

    def plan(self, space: str, weakness: Weakness, at: datetime) -> Consolidation:
        with self._database.read(space) as session:
            scope = {"space_key": spaces.key_of(session, space), **_measure(weakness, at)}
            return _report(session, scope, _merges(session, scope), "", at)

    def run(self, space: str, weakness: Weakness, id: str, at: datetime) -> Consolidation:
        def work(session: Session) -> Consolidation:
            scope = {"space_key": spaces.key_of(session, space), **_measure(weakness, at)}
            merges = _merges(session, scope)
            report = _report(session, scope, merges, id, at)
            if report.records:
                _carry_out(session, scope, merges, report)
            return report

        return self._database.write(work, space)

    def undo(self, space: str, at: datetime, place: Callable[[Seen, str], Change]) -> Consolidation:
        def work(session: Session) -> Consolidation:
            space_key = spaces.key_of(session, space)
            found = session.fetch(SQL["last"], {"space_key": space_key})
            if not found:
                raise NotFound(f"space {space!r} has no consolidation to undo")
            scope: Scope = {"space_key": space_key, "consolidation_key": found[0][0], "at": microseconds(at)}
            crowded = session.fetch(SQL["crowded"], scope)
            _take_back(session, scope)
            for (id,) in crowded:
                seen = fact_topics.seen(session, {"space": space, "space_key": space_key}, Topic((id,)))
                fact_changes.apply(session, scope["space_key"], place(seen, id), at)
            return _stored((*found[0][1:], scope["at"]))

        return self._database.write(work, space)

    def list(self, space: str, limit: int) -> list[Consolidation]:
        with self._database.read(space) as session:
            scope = {"space_key": spaces.key_of(session, space), "limit": limit}
            return [_stored(row) for row in session.fetch(SQL["list"], scope)]


def _measure(weakness: Weakness, at: datetime) -> Scope:
    return {
        "at": microseconds(at),
        "before": microseconds(weakness.before),
        "weak": weakness.least,
        "half_life": weakness.half_life.total_seconds() * 1e6,
        "per_access": weakness.per_access,
        "most_from_accesses": weakness.most_from_accesses,
    }


def _report(session: Session, scope: Scope, merges: Sequence[Merge], id: str, at: datetime) -> Consolidation:
    looked_at = int(session.fetch(SQL["looked_at"], scope)[0][0])
    archived, tokens = session.fetch(SQL["weak_sums"], scope)[0]
    weak = session.fetch(SQL["weak"], scope | {"limit": SHOWN})
    told = [Consolidated("archived", "fact", fact, None, text, size, round(left, 4)) for fact, text, size, left in weak]
    told += [merge.told for merge in merges]
    tokens += sum(merge.told.tokens for merge in merges)
    return Consolidation(id, at, looked_at, archived, len(merges), tokens, tuple(told[:SHOWN]), None)


def _merges(session: Session, scope: Scope) -> list[Merge]:
    return [*consolidated_facts.doubles(session, scope), *consolidated_episodes.overlapping(session, scope)]


def _carry_out(session: Session, scope: Scope, merges: Sequence[Merge], report: Consolidation) -> None:
    counts = {name: getattr(report, name) for name in ("id", "looked_at", "archived", "merged", "tokens")}
    ((key,),) = session.fetch(SQL["begin"], scope | counts)
    scope = scope | {"consolidation_key": key}
    session.execute(SQL["weak_steps"], scope)
    for merge in merges:
        part = consolidated_facts if merge.told.record == "fact" else consolidated_episodes
        part.merge(session, scope, merge)
    session.execute(SQL["archive"], scope)
    consolidated_facts.tell(session, scope)


def _take_back(session: Session, scope: Scope) -> None:
    """Puts every record back as it was, unless somebody has decided otherwise about it since."""
    consolidated_facts.part(session, scope)
    consolidated_episodes.part(session, scope)
    session.execute(SQL["restore"], scope)
    session.execute(SQL["undone"], scope)
    consolidated_facts.tell(session, scope)


def _stored(row: Row) -> Consolidation:
    id, at, looked_at, archived, merged, tokens, undone_at = row
    return Consolidation(id, moment(at), looked_at, archived, merged, tokens, (), moment_or_none(undone_at))
