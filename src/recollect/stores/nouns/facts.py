"""Facts."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from recollect.errors import NotFound
from recollect.ids import microseconds
from recollect.models import FACT_STATES, Fact, Json, Relation, RelationKind
from recollect.records import Change, FactFilter, Seen, Topic
from recollect.stores import fact_rows, queries
from recollect.stores.database import Database, Session
from recollect.stores.ledger_rows import written
from recollect.stores.nouns import fact_changes, fact_topics, spaces

SQL = queries.named("facts")
RELATIONS = queries.named("relations")


def touch(session: Session, space_key: int | None, ids: Sequence[str], at: datetime) -> None:
    """Counts one access of each fact that is still there."""
    session.execute(SQL["touch"], {"space_key": space_key, "ids": written(ids), "at": microseconds(at)})


class Facts:
    def __init__(self, database: Database) -> None:
        self._database = database

    def change(
        self, space: str, topic: Topic, decide: Callable[[Seen], Change], at: datetime, *, durable: bool = True
    ) -> Change:
        def work(session: Session) -> Change:
            space_key = spaces.key_or_make(session, space, at)
            scope: dict[str, Json] = {"space": space, "space_key": space_key}
            change = decide(fact_topics.seen(session, scope, topic))
            fact_changes.apply(session, space_key, change, at)
            return change

        return self._database.write(work, space, durable=durable)

    def get(self, space: str, id: str) -> Fact | None:
        with self._database.read(space) as session:
            scope: dict[str, Json] = {"space": space, "space_key": spaces.key_of(session, space)}
            keys = [key for (key,) in session.fetch(SQL["key"], scope | {"id": id})]
            found = fact_topics.facts(session, scope, keys)
        return found[0] if found else None

    def named(self, space: str, ids: Sequence[str]) -> Mapping[str, Fact]:
        with self._database.read(space) as session:
            scope: dict[str, Json] = {"space": space, "space_key": spaces.key_of(session, space)}
            found = session.fetch_each(SQL["key"], [scope | {"id": id} for id in ids])
            keys = [key for rows in found for (key,) in rows]
            return {fact.id: fact for fact in fact_topics.facts(session, scope, keys)}

    def list(self, space: str, wanted: FactFilter, limit: int, after: str | None) -> list[Fact]:
        with self._database.read(space) as session:
            scope: dict[str, Json] = {"space": space, "space_key": spaces.key_of(session, space)}
            behind = 0 if after is None else _key(session, scope, after)
            values = scope | fact_rows.wanted(wanted) | {"after": behind, "limit": limit}
            sql = SQL["held"] if wanted.held else SQL["list"]
            found = session.fetch_each(sql, [values | {"status": status} for status in _states(wanted)])
            keys = [[key for (key,) in rows] for rows in found]
            return fact_topics.facts(session, scope, list(heapq.merge(*keys))[:limit])

    def review(self, space: str, limit: int) -> Sequence[Fact]:
        with self._database.read(space) as session:
            scope: dict[str, Json] = {"space": space, "space_key": spaces.key_of(session, space)}
            keys = {
                key
                for query in ("pending", "contradicting")
                for row in session.fetch(SQL[query], scope | {"limit": limit})
                for key in row
            }
            return fact_topics.facts(session, scope, sorted(keys, reverse=True)[:limit])

    def relations(self, space: str, id: str | None, limit: int) -> Sequence[Relation]:
        with self._database.read(space) as session:
            scope: dict[str, Json] = {"space": space, "space_key": spaces.key_of(session, space), "limit": limit}
            if id is None:
                found = session.fetch(RELATIONS["list"], scope)
            else:
                found = session.fetch(RELATIONS["of_fact"], scope | {"fact_key": _key(session, scope, id)})
        return [fact_rows.relation(row) for row in found]

    def unrelate(self, space: str, source: str, kind: RelationKind, target: str) -> bool:
        def work(session: Session) -> bool:
            space_key = spaces.key_of(session, space)
            scope: dict[str, Json] = {"space": space, "space_key": space_key}
            ends = {"source_key": _key(session, scope, source), "target_key": _key(session, scope, target)}
            return bool(session.changed(RELATIONS["remove"], {"space_key": space_key, "kind": kind, **ends}))

        return self._database.write(work, space)

    def touch(self, space: str, ids: Sequence[str], at: datetime) -> None:
        def work(session: Session) -> None:
            touch(session, spaces.key_of(session, space), ids, at)

        self._database.write(work, space, durable=False)


def _states(wanted: FactFilter) -> Sequence[str]:
    """Whatever became of a fact, it may have been held true once."""
    return FACT_STATES if wanted.held or wanted.status is None else (wanted.status,)


def _key(session: Session, scope: dict[str, Json], id: str) -> int:
    found = session.fetch(SQL["key"], scope | {"id": id})
    if not found:
        raise NotFound(f"space {scope['space']!r} has no fact {id!r}")
    return int(found[0][0])
