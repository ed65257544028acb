"""Facts in SQLite."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import apsw

from recollect.errors import NotFound
from recollect.ids import microseconds
from recollect.models import FACT_STATES, Fact, Json, Relation, RelationKind
from recollect.records import Change, FactFilter, Seen, Topic
from recollect.stores import fact_rows, queries
from recollect.stores.ledger_rows import written
from recollect.stores.nouns import fact_changes, fact_topics, spaces
from recollect.stores.sqlite.database import Database, fetch

SQL = queries.named("sqlite", "facts")
RELATIONS = queries.named("sqlite", "relations")


def touch(connection: apsw.Connection, space_key: int | None, ids: Sequence[str], at: datetime) -> None:
    """Counts one access of each fact that is still there."""
    connection.execute(SQL["touch"], {"space_key": space_key, "ids": written(ids), "at": microseconds(at)})


class SqliteFacts:
    def __init__(self, database: Database) -> None:
        self._database = database

    def change(
        self, space: str, topic: Topic, decide: Callable[[Seen], Change], at: datetime, *, durable: bool = True
    ) -> Change:
        def work(connection: apsw.Connection) -> Change:
            space_key = spaces.key_or_make(connection, space, at)
            scope: dict[str, Json] = {"space": space, "space_key": space_key}
            change = decide(fact_topics.seen(connection, scope, topic))
            fact_changes.apply(connection, space_key, change, at)
            return change

        return self._database.write(work, durable=durable)

    def get(self, space: str, id: str) -> Fact | None:
        with self._database.read() as connection:
            scope: dict[str, Json] = {"space": space, "space_key": spaces.key_of(connection, space)}
            keys = [key for (key,) in fetch(connection, SQL["key"], scope | {"id": id})]
            found = fact_topics.facts(connection, scope, keys)
        return found[0] if found else None

    def named(self, space: str, ids: Sequence[str]) -> Mapping[str, Fact]:
        with self._database.read() as connection:
            scope: dict[str, Json] = {"space": space, "space_key": spaces.key_of(connection, space)}
            keys = [key for id in ids for (key,) in fetch(connection, SQL["key"], scope | {"id": id})]
            return {fact.id: fact for fact in fact_topics.facts(connection, scope, keys)}

    def list(self, space: str, wanted: FactFilter, limit: int, after: str | None) -> list[Fact]:
        with self._database.read() as connection:
            scope: dict[str, Json] = {"space": space, "space_key": spaces.key_of(connection, space)}
            behind = 0 if after is None else _key(connection, scope, after)
            values = scope | fact_rows.wanted(wanted) | {"after": behind, "limit": limit}
            sql = SQL["held"] if wanted.held else SQL["list"]
            keys = [
                [key for (key,) in fetch(connection, sql, values | {"status": status})] for status in _states(wanted)
            ]
            return fact_topics.facts(connection, scope, list(heapq.merge(*keys))[:limit])

    def review(self, space: str, limit: int) -> Sequence[Fact]:
        with self._database.read() as connection:
            scope: dict[str, Json] = {"space": space, "space_key": spaces.key_of(connection, space)}
            keys = {
                key
                for query in ("pending", "contradicting")
                for (key,) in fetch(connection, SQL[query], scope | {"limit": limit})
            }
            return fact_topics.facts(connection, scope, sorted(keys, reverse=True)[:limit])

    def relations(self, space: str, id: str | None, limit: int) -> Sequence[Relation]:
        with self._database.read() as connection:
            scope: dict[str, Json] = {"space": space, "space_key": spaces.key_of(connection, space), "limit": limit}
            if id is None:
                found = fetch(connection, RELATIONS["list"], scope)
            else:
                found = fetch(connection, RELATIONS["of_fact"], scope | {"fact_key": _key(connection, scope, id)})
        return [fact_rows.relation(row) for row in found]

    def unrelate(self, space: str, source: str, kind: RelationKind, target: str) -> bool:
        def work(connection: apsw.Connection) -> bool:
            space_key = spaces.key_of(connection, space)
            scope: dict[str, Json] = {"space": space, "space_key": space_key}
            ends = {"source_key": _key(connection, scope, source), "target_key": _key(connection, scope, target)}
            connection.execute(RELATIONS["remove"], {"space_key": space_key, "kind": kind, **ends})
            return bool(connection.changes())

        return self._database.write(work)

    def touch(self, space: str, ids: Sequence[str], at: datetime) -> None:
        def work(connection: apsw.Connection) -> None:
            touch(connection, spaces.key_of(connection, space), ids, at)

        self._database.write(work, durable=False)


def _states(wanted: FactFilter) -> Sequence[str]:
    """Whatever became of a fact, it may have been held true once."""
    return FACT_STATES if wanted.held or wanted.status is None else (wanted.status,)


def _key(connection: apsw.Connection, scope: dict[str, Json], id: str) -> int:
    found = fetch(connection, SQL["key"], scope | {"id": id})
    if not found:
        raise NotFound(f"space {scope['space']!r} has no fact {id!r}")
    return int(found[0][0])
