"""Facts. The facts that a change may concern are found through indexes, never by a full scan."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from aforesaid.errors import NotFound
from aforesaid.ids import microseconds
from aforesaid.models.fact import (
    FACT_STATES,
    Evidence,
    Fact,
    FactChange,
    FactFilter,
    FactStatus,
    FactTopic,
    Relation,
    RelationKind,
    Supersession,
    TopicFacts,
)
from aforesaid.models.json import Json
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, json_text, key_or_none, moment, to_columns
from aforesaid.storage.database import Row, Session, first
from aforesaid.storage.repositories import fact_changes, space_keys
from aforesaid.storage.repositories.base import Repository, transaction
from aforesaid.text.similarity import lookup_terms

SQL = queries.named("facts")
RELATIONS = queries.named("relations")

EVIDENCE_SHOWN = 20  # the newest; all evidence is stored
IN_SLOT: dict[FactStatus, int] = {"active": 16, "superseded": 16, "pending": 16, "rejected": 32, "archived": 8}
WITH_VALUE = 8
WITH_MARK = 16

FactScope = dict[str, Json]


class Facts(Repository):
    """Facts with their evidence and their relations."""

    def change(
        self,
        space: str,
        topic: FactTopic,
        decide: Callable[[TopicFacts], FactChange],
        at: datetime,
        *,
        durable: bool = True,
    ) -> FactChange:
        """Reads the facts that a topic may concern, decides, and writes the decision, in one transaction. Creates the
        space if there is none. `durable=False` is for what can be derived again from the log.

        The evidence gate: a fact that was not made by hand needs a user's message that contains its quote word for
        word. Raises InvalidInput for a quote that is not in its message, NotFound for a message that does not exist.
        """

        def work(session: Session) -> FactChange:
            space_key = space_keys.key_or_create(session, space, at)
            change = decide(read_topic(session, {"space": space, "space_key": space_key}, topic))
            fact_changes.apply_change(session, space_key, change, at)
            return change

        return self._database.write(work, space, durable=durable)

    def get(self, space: str, id: str) -> Fact | None:
        return self.named(space, [id]).get(id)

    def named(self, space: str, ids: Sequence[str]) -> Mapping[str, Fact]:
        """Returns those of these facts that exist, by id."""
        with self._database.read(space) as session:
            scope = _scope(session, space)
            known = json_text([id for id in ids if "\0" not in id])  # no fact has such an id, and PostgreSQL refuses it
            rows = session.fetch(SQL["of_ids"], scope | {"ids": known}) if ids else []
            return {fact.id: fact for fact in _facts_from_rows(session, scope, rows)}

    def list(self, space: str, filter: FactFilter, limit: int, after: str | None) -> list[Fact]:
        """Returns facts in the order they were noted, from behind `after`. Raises NotFound if `after` is no fact."""
        with self._database.read(space) as session:
            scope = _scope(session, space)
            start = 0 if after is None else _key(session, scope, after)
            values = scope | to_columns(filter) | {"subject_key": key_or_none(filter.subject)}
            values |= {"after": start, "limit": limit}
            # a fact of any status may have been held true once
            states = FACT_STATES if filter.held or filter.status is None else (filter.status,)
            query = SQL["held" if filter.held else "list"]
            results = session.fetch_each(query, [values | {"status": status} for status in states])
            keys = [[key for (key,) in rows] for rows in results]
            return facts_by_key(session, scope, list(heapq.merge(*keys))[:limit])

    def review(self, space: str, limit: int) -> Sequence[Fact]:
        """Returns the facts that need a decision: pending ones and contradictions, newest first."""
        with self._database.read(space) as session:
            scope = _scope(session, space)
            keys = {
                key
                for query in ("pending", "contradicting")
                for row in session.fetch(SQL[query], scope | {"limit": limit})
                for key in row
            }
            return facts_by_key(session, scope, sorted(keys, reverse=True)[:limit])

    def relations(self, space: str, id: str | None, limit: int) -> Sequence[Relation]:
        """Returns the relations of a fact, in either direction, or of the space; newest first."""
        with self._database.read(space) as session:
            scope = _scope(session, space) | {"limit": limit}
            if id is None:
                rows = session.fetch(RELATIONS["list"], scope)
            else:
                rows = session.fetch(RELATIONS["of_fact"], scope | {"fact_key": _key(session, scope, id)})
        return [from_row(Relation, row) for row in rows]

    @transaction()
    def unrelate(self, session: Session, space: str, source: str, kind: RelationKind, target: str) -> bool:
        space_key = session.key_of(space)
        scope: dict[str, Json] = {"space": space, "space_key": space_key}
        ends = {"source_key": _key(session, scope, source), "target_key": _key(session, scope, target)}
        return bool(session.changed(RELATIONS["remove"], {"space_key": space_key, "kind": kind, **ends}))

    @transaction(durable=False)
    def touch(self, session: Session, space: str, ids: Sequence[str], at: datetime) -> None:
        """Counts an access of each fact that still exists. Does not wait for the disk."""
        touch(session, session.key_of(space), ids, at)


def touch(session: Session, space_key: int | None, ids: Sequence[str], at: datetime) -> None:
    """Counts one access of each fact that still exists."""
    session.execute(SQL["touch"], {"space_key": space_key, "ids": json_text(ids), "at": microseconds(at)})


def read_topic(session: Session, scope: FactScope, topic: FactTopic) -> TopicFacts:
    """Returns the input of a decision: the facts of the topic, and those that closed them or were closed by them."""
    proven = [] if topic.message_id is None else session.fetch(SQL["proven"], scope | {"message_id": topic.message_id})
    keys = dict.fromkeys(_candidates(session, scope, topic))
    keys |= dict.fromkeys(row.fact_key for row in proven)
    named = {"space_key": scope["space_key"], "keys": json_text(list(keys))}
    reopened = session.fetch(SQL["reopened"], named) if topic.ids else []
    keys |= dict.fromkeys(row.fact_key for row in reopened)
    closings = _closings(session, scope, keys) if topic.ids else []
    keys |= dict.fromkeys(key for row in closings for key in (row.fact_key, row.by_key))
    return TopicFacts(
        tuple(facts_by_key(session, scope, sorted(keys, reverse=True))),
        tuple(from_row(Supersession, row, closed=row.fact) for row in closings),
        frozenset(row.id for row in proven),
        frozenset(row.id for row in reopened),
    )


def facts_by_key(session: Session, scope: FactScope, keys: Sequence[int]) -> list[Fact]:
    """Returns facts by their keys, in that order, each with its newest evidence."""
    rows = session.fetch(SQL["of_keys"], {"space": scope["space"], "keys": json_text(keys)})
    return _facts_from_rows(session, scope, rows)


def _facts_from_rows(session: Session, scope: FactScope, rows: Sequence[Row]) -> list[Fact]:
    evidence: dict[int, list[Evidence]] = {row.fact_key: [] for row in rows}
    values = {"space_key": scope["space_key"], "keys": json_text(list(evidence)), "limit": EVIDENCE_SHOWN}
    for each in session.fetch(SQL["evidence"], values) if rows else []:
        at = moment(each.created_at)
        shown = Evidence(each.id, each.conversation, each.quote, each.speaker, at, bool(each.supports))
        evidence[each.fact_key].append(shown)
    return [from_row(Fact, row, evidence=tuple(evidence[row.fact_key])) for row in rows]


def _scope(session: Session, space: str) -> FactScope:
    return {"space": space, "space_key": session.key_of(space)}


def _key(session: Session, scope: FactScope, id: str) -> int:
    row = first(session.fetch(SQL["key"], scope | {"id": id}))
    if row is None:
        raise NotFound(f"space {scope['space']!r} has no fact {id!r}")
    return int(row.fact_key)


def _candidates(session: Session, scope: FactScope, topic: FactTopic) -> Iterator[int]:
    results = session.fetch_each(SQL["key"], [scope | {"id": id} for id in topic.ids])
    chosen = [row.fact_key for rows in results for row in rows]
    yield from chosen
    for slot in _slots(facts_by_key(session, scope, chosen), topic):
        by_status = [scope | slot | {"status": status, "limit": limit} for status, limit in IN_SLOT.items()]
        for rows in session.fetch_each(SQL["in_slot"], by_status):
            yield from (row.fact_key for row in rows)
        if slot["value_key"] is not None:
            rows = session.fetch(SQL["with_value"], scope | slot | {"limit": WITH_VALUE})
            yield from (row.fact_key for row in rows)
    terms = () if topic.text is None else lookup_terms(topic.text)
    for rows in session.fetch_each(SQL["with_mark"], [scope | {"mark": term, "limit": WITH_MARK} for term in terms]):
        yield from (row.fact_key for row in rows)


def _slots(chosen: Sequence[Fact], topic: FactTopic) -> list[FactScope]:
    """The slots that the topic names, and those of the facts that it names."""
    slots = [(fact.subject, fact.attribute, fact.value) for fact in chosen]
    if topic.subject is not None:
        slots.append((topic.subject, topic.attribute, topic.value))
    return [fact_changes.slot_keys(*slot) for slot in slots if slot[1] is not None]


def _closings(session: Session, scope: FactScope, keys: Iterable[int]) -> list[Row]:
    """The supersessions of these facts, by these facts, and by those that superseded them."""
    ended = session.fetch(SQL["closings"], {"keys": json_text(list(keys))})
    closers = {*keys, *(row.by_key for row in ended)}
    values = {"space_key": scope["space_key"], "keys": json_text(sorted(closers))}
    return list(dict.fromkeys([*ended, *session.fetch(SQL["closings_by"], values)]))
