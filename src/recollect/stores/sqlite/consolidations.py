"""Consolidation in SQLite: what is weak is put away, what says the same is merged, all of it in one transaction.

Memories are read a page at a time; of each, no more is kept than a digest of what it says. Nothing is deleted: a record
that was merged stays beside the one that took its evidence, and the last consolidation can be undone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any

import apsw

from recollect.errors import NotFound
from recollect.ids import microseconds
from recollect.models import Consolidated, Consolidation
from recollect.records import Weakness
from recollect.stores import queries
from recollect.stores.rows import moment, moment_or_none
from recollect.stores.sqlite import spaces
from recollect.stores.sqlite.database import Database, Row, fetch
from recollect.text.likeness import key

SQL = queries.named("sqlite", "consolidations")
PAGE = 1000
SHOWN = 1000  # records that a report names; it counts them all

Scope = dict[str, Any]


class SqliteConsolidations:
    def __init__(self, database: Database) -> None:
        self._database = database

    def plan(self, space: str, weakness: Weakness, at: datetime) -> Consolidation:
        with self._database.read() as connection:
            scope = {"space_key": spaces.key_of(connection, space), **_measure(weakness, at)}
            return _report(connection, scope, _merges(connection, scope), "", at)

    def run(self, space: str, weakness: Weakness, id: str, at: datetime) -> Consolidation:
        def work(connection: apsw.Connection) -> Consolidation:
            scope = {"space_key": spaces.key_of(connection, space), **_measure(weakness, at)}
            merges = _merges(connection, scope)
            report = _report(connection, scope, merges, id, at)
            if report.records:
                _carry_out(connection, scope, merges, report)
            return report

        return self._database.write(work)

    def undo(self, space: str, at: datetime) -> Consolidation:
        def work(connection: apsw.Connection) -> Consolidation:
            space_key = spaces.key_of(connection, space)
            found = fetch(connection, SQL["last"], {"space_key": space_key})
            if not found:
                raise NotFound(f"space {space!r} has no consolidation to undo")
            scope = {"space_key": space_key, "consolidation_key": found[0][0], "at": microseconds(at)}
            _take_back(connection, scope)
            return _stored((*found[0][1:], scope["at"]))

        return self._database.write(work)

    def list(self, space: str, limit: int) -> list[Consolidation]:
        with self._database.read() as connection:
            scope = {"space_key": spaces.key_of(connection, space), "limit": limit}
            return [_stored(row) for row in fetch(connection, SQL["list"], scope)]


@dataclass(frozen=True, slots=True)
class _Merge:
    fact_key: int
    into_key: int
    told: Consolidated


def _measure(weakness: Weakness, at: datetime) -> Scope:
    return {
        "at": microseconds(at),
        "before": microseconds(weakness.before),
        "weak": weakness.least,
        "half_life": weakness.half_life.total_seconds() * 1e6,
        "per_access": weakness.per_access,
        "most_from_accesses": weakness.most_from_accesses,
    }


def _merges(connection: apsw.Connection, scope: Scope) -> list[_Merge]:
    """What says the same as an earlier fact. Active ones come first, so that none is merged into a pending one."""
    said: dict[bytes, tuple[int, str]] = {}
    found = []
    for fact_key, id, subject, attribute, value, text, tokens in _spoken(connection, scope):
        slot = (subject, attribute, value) if attribute and value else (subject, "", key(text))
        first = said.setdefault(blake2b(json.dumps(slot).encode(), digest_size=16).digest(), (fact_key, id))
        if first[0] != fact_key:
            told = Consolidated("merged", "fact", id, first[1], text, tokens, None)
            found.append(_Merge(fact_key, first[0], told))
    return found


def _spoken(connection: apsw.Connection, scope: Scope) -> Iterator[Row]:
    """What is neither weak nor over, a page at a time."""
    for status in ("active", "pending"):
        after = 0
        while page := fetch(connection, SQL["spoken"], scope | {"status": status, "after": after, "limit": PAGE}):
            yield from page
            after = page[-1][0]


def _report(
    connection: apsw.Connection, scope: Scope, merges: Sequence[_Merge], id: str, at: datetime
) -> Consolidation:
    looked_at = int(fetch(connection, SQL["looked_at"], scope)[0][0])
    archived, tokens = fetch(connection, SQL["weak_sums"], scope)[0]
    weak = fetch(connection, SQL["weak"], scope | {"limit": SHOWN})
    told = [Consolidated("archived", "fact", fact, None, text, size, round(left, 4)) for fact, text, size, left in weak]
    told += [merge.told for merge in merges]
    tokens += sum(merge.told.tokens for merge in merges)
    return Consolidation(id, at, looked_at, archived, len(merges), tokens, tuple(told[:SHOWN]), None)


def _carry_out(connection: apsw.Connection, scope: Scope, merges: Sequence[_Merge], report: Consolidation) -> None:
    counts = {name: getattr(report, name) for name in ("id", "looked_at", "archived", "merged", "tokens")}
    connection.execute(SQL["begin"], scope | counts)
    scope = scope | {"consolidation_key": connection.last_insert_rowid()}
    connection.execute(SQL["weak_steps"], scope)
    for merge in merges:
        values = scope | {"fact_key": merge.fact_key, "into_key": merge.into_key}
        copied = [message_key for (message_key,) in fetch(connection, SQL["lacking"], values)]
        for query in ("copy", "relate", "step"):
            connection.execute(SQL[query], values | {"copied": json.dumps(copied)})
    connection.execute(SQL["archive"], scope)


def _take_back(connection: apsw.Connection, scope: Scope) -> None:
    """Puts every record back as it was, unless somebody has decided otherwise about it since."""
    for record_key, into_key, copied in fetch(connection, SQL["merges"], scope):
        values = scope | {"record_key": record_key, "into_key": into_key, "copied": copied}
        connection.execute(SQL["uncopy"], values)
        connection.execute(SQL["unrelate"], values)
    connection.execute(SQL["restore"], scope)
    connection.execute(SQL["undone"], scope)


def _stored(row: Row) -> Consolidation:
    id, at, looked_at, archived, merged, tokens, undone_at = row
    return Consolidation(id, moment(at), looked_at, archived, merged, tokens, (), moment_or_none(undone_at))
