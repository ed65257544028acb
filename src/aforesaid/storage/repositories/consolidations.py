"""Consolidation: archives weak facts and merges duplicate facts and overlapping episodes, in one transaction.

Records are read a page at a time. Nothing is deleted, and the last consolidation can be undone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from typing import Any

from aforesaid.errors import NotFound
from aforesaid.ids import microseconds
from aforesaid.models.consolidation import Consolidation, ConsolidationCriteria, ConsolidationItem
from aforesaid.models.fact import FactChange, FactTopic, TopicFacts
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, moment, to_columns
from aforesaid.storage.database import Row, Session, first, scalar
from aforesaid.storage.repositories import episodes, fact_changes, facts, notes
from aforesaid.storage.repositories.base import Repository, transaction
from aforesaid.text.similarity import comparison_key

SQL = queries.named("consolidations")
RELATIONS = queries.named("relations")
MAX_RECORDS_SHOWN = 1000  # records that a report names; it counts them all
PAGE = 1000

ConsolidationScope = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RecordMerge:
    """A record that is merged into another, by their keys, and its item in the report."""

    key: int
    into_key: int
    item: ConsolidationItem


class Consolidations(Repository):
    def plan(self, space: str, weakness: ConsolidationCriteria, at: datetime) -> Consolidation:
        """Returns what `run` would do. Writes nothing."""
        with self._database.read(space) as session:
            scope = {"space_key": session.key_of(space), **_measure(weakness, at)}
            return _report(session, scope, _merges(session, scope), "", at)

    @transaction()
    def run(
        self, session: Session, space: str, weakness: ConsolidationCriteria, id: str, at: datetime
    ) -> Consolidation:
        scope = {"space_key": session.key_of(space), **_measure(weakness, at)}
        merges = _merges(session, scope)
        report = _report(session, scope, merges, id, at)
        if report.records:
            _apply(session, scope, merges, report)
        return report

    @transaction()
    def undo(
        self, session: Session, space: str, at: datetime, place: Callable[[TopicFacts, str], FactChange]
    ) -> Consolidation:
        """Reverts the last one, except for records that a person has decided about since. `place` decides about a fact
        whose slot is taken. Raises NotFound if there is none."""
        space_key = session.key_of(space)
        row = first(session.fetch(SQL["last"], {"space_key": space_key}))
        if row is None:
            raise NotFound(f"space {space!r} has no consolidation to undo")
        scope: ConsolidationScope = {
            "space_key": space_key,
            "consolidation_key": row.consolidation_key,
            "at": microseconds(at),
        }
        crowded = session.fetch(SQL["crowded"], scope)
        _revert(session, scope)
        for (id,) in crowded:
            topic = facts.read_topic(session, {"space": space, "space_key": space_key}, FactTopic((id,)))
            fact_changes.apply_change(session, scope["space_key"], place(topic, id), at)
        return replace(consolidation_from_row(row), undone_at=moment(scope["at"]))

    def list(self, space: str, limit: int) -> list[Consolidation]:
        """Returns the newest first."""
        return [consolidation_from_row(row) for row in self._database.query(SQL["list"], {"limit": limit}, space)]


def consolidation_from_row(row: Row) -> Consolidation:
    return from_row(Consolidation, row, records=())


def insert(session: Session, space_key: int, report: Consolidation) -> int | None:
    """Returns the key of the new row; None if the consolidation is stored already."""
    row = first(session.fetch(SQL["insert"], {"space_key": space_key, **to_columns(report, "records")}))
    return int(row.consolidation_key) if row else None


def _measure(weakness: ConsolidationCriteria, at: datetime) -> ConsolidationScope:
    return {
        "at": microseconds(at),
        "before": microseconds(weakness.before),
        "weak": weakness.least,
        "half_life": weakness.half_life.total_seconds() * 1e6,
        "per_access": weakness.per_access,
        "most_from_accesses": weakness.most_from_accesses,
    }


def _report(
    session: Session, scope: ConsolidationScope, merges: Sequence[RecordMerge], id: str, at: datetime
) -> Consolidation:
    looked_at = int(scalar(session.fetch(SQL["looked_at"], scope)))
    ((archived, tokens),) = session.fetch(SQL["weak_sums"], scope)
    items = [
        ConsolidationItem("archived", "fact", row.id, None, row.text, row.tokens, round(row.strength, 4))
        for row in session.fetch(SQL["weak"], scope | {"limit": MAX_RECORDS_SHOWN})
    ]
    items += [merge.item for merge in merges]
    tokens += sum(merge.item.tokens for merge in merges)
    return Consolidation(id, at, looked_at, archived, len(merges), tokens, tuple(items[:MAX_RECORDS_SHOWN]), None)


def _merges(session: Session, scope: ConsolidationScope) -> list[RecordMerge]:
    return [*_duplicate_facts(session, scope), *_overlapping_episodes(session, scope)]


def _apply(session: Session, scope: ConsolidationScope, merges: Sequence[RecordMerge], report: Consolidation) -> None:
    scope = scope | {"consolidation_key": insert(session, scope["space_key"], report)}
    session.execute(SQL["weak_steps"], scope)
    for merge in merges:
        (_merge_facts if merge.item.record == "fact" else _merge_episodes)(session, scope, merge)
    session.execute(SQL["archive"], scope)
    _update_fact_notes(session, scope)


def _revert(session: Session, scope: ConsolidationScope) -> None:
    """Restores every record, unless a person has decided otherwise since."""
    _unmerge_facts(session, scope)
    _unmerge_episodes(session, scope)
    session.execute(SQL["restore"], scope)
    session.execute(SQL["undone"], scope)
    _update_fact_notes(session, scope)


def _duplicate_facts(session: Session, scope: ConsolidationScope) -> list[RecordMerge]:
    """The facts that say the same as an earlier one. Active facts come first: none is merged into a pending one."""
    firsts: dict[bytes, Row] = {}
    merges = []
    for row in _current_facts(session, scope):
        slot = row.subject_key, row.attribute_key, row.value_key
        if not row.attribute_key or not row.value_key:
            slot = row.subject_key, "", comparison_key(row.text)
        into = firsts.setdefault(blake2b(json.dumps(slot).encode(), digest_size=16).digest(), row)
        if into is not row:
            item = ConsolidationItem("merged", "fact", row.id, into.id, row.text, row.tokens, None)
            merges.append(RecordMerge(row.fact_key, into.fact_key, item))
    return merges


def _current_facts(session: Session, scope: ConsolidationScope) -> Iterator[Row]:
    """Yields the facts that are neither weak nor over, and reads a page at a time."""
    for status in ("active", "pending"):
        after = 0
        while page := session.fetch(SQL["spoken"], scope | {"status": status, "after": after, "limit": PAGE}):
            yield from page
            after = page[-1].fact_key


def _merge_facts(session: Session, scope: ConsolidationScope, merge: RecordMerge) -> None:
    """Copies the evidence. The caller archives the merged fact."""
    values = scope | {"fact_key": merge.key, "into_key": merge.into_key}
    copied = [message_key for (message_key,) in session.fetch(SQL["lacking"], values)]
    for query in ("copy", "relate", "step"):
        session.execute(SQL[query], values | {"copied": json.dumps(copied)})
    notes.note_fact(session, scope["space_key"], merge.into_key)


def _unmerge_facts(session: Session, scope: ConsolidationScope) -> None:
    """Removes the copied evidence. The caller restores the merged facts."""
    for record_key, into_key, copied in session.fetch(SQL["merges"], scope):
        session.execute(SQL["uncopy"], scope | {"into_key": into_key, "copied": copied})
        session.execute(RELATIONS["remove"], {"source_key": record_key, "kind": "part_of", "target_key": into_key})
        notes.note_fact(session, scope["space_key"], into_key)


def _update_fact_notes(session: Session, scope: ConsolidationScope) -> None:
    for (fact_key,) in session.fetch(SQL["fact_steps"], scope):
        notes.note_fact(session, scope["space_key"], fact_key)


def _overlapping_episodes(session: Session, scope: ConsolidationScope) -> list[RecordMerge]:
    """The episodes that share half of the shorter one's messages with a more significant one of their type."""
    merges: dict[int, RecordMerge] = {}
    for row in session.fetch(SQL["overlapping"], scope):
        if row.episode_key not in merges and row.into_key not in merges:
            item = ConsolidationItem("merged", "episode", row.id, row.into_id, row.title, row.tokens, None)
            merges[row.episode_key] = RecordMerge(row.episode_key, row.into_key, item)
    return list(merges.values())


def _merge_episodes(session: Session, scope: ConsolidationScope, merge: RecordMerge) -> None:
    """The remaining episode covers the messages of both, and has the lineage of both."""
    values = scope | {"episode_key": merge.key, "into_key": merge.into_key}
    for query in ("episode_step", "widen", "inherit", "merge_episode"):
        session.execute(SQL[query], values)
    notes.note_episode(session, scope["space_key"], merge.key)
    notes.note_episode(session, scope["space_key"], merge.into_key)


def _unmerge_episodes(session: Session, scope: ConsolidationScope) -> None:
    for episode_key, into_key, before in reversed(session.fetch(SQL["episode_steps"], scope)):
        first_seq, last_seq = json.loads(before)
        episodes.unmerge(session, scope["space_key"], episode_key)
        session.execute(SQL["narrow"], {"into_key": into_key, "first_seq": first_seq, "last_seq": last_seq})
        notes.note_episode(session, scope["space_key"], into_key)
