"""The facts that a change may concern: found through indexes, never by looking at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from recollect.models import Evidence, Fact, FactStatus, Json
from recollect.records import Seen, Topic
from recollect.stores import fact_rows, queries
from recollect.stores.database import Row, Session
from recollect.stores.ledger_rows import written
from recollect.text.likeness import key, marks

SQL = queries.named("facts")

EVIDENCE = 20  # a fact shows the newest of its evidence; all of it is kept
IN_SLOT: dict[FactStatus, int] = {"active": 16, "superseded": 16, "pending": 16, "rejected": 32, "archived": 8}
WITH_VALUE = 8
WITH_MARK = 16

Scope = dict[str, Json]


def seen(session: Session, scope: Scope, topic: Topic) -> Seen:
    """What a decision looks at: the facts of the topic, and those that closed them or were closed by them."""
    proven = [] if topic.message_id is None else session.fetch(SQL["proven"], scope | _message(topic))
    named = [] if topic.named is None else session.fetch(SQL["user"], scope)
    keys = dict.fromkeys(_candidates(session, scope, topic))
    if topic.named is not None:
        keys |= dict.fromkeys(_candidates(session, scope, topic.named))
    keys |= dict.fromkeys(int(fact_key) for fact_key, _ in proven)
    closings = _closings(session, scope, keys) if topic.ids else []
    keys |= dict.fromkeys(end for row in closings for end in row[:2])
    return Seen(
        tuple(facts(session, scope, sorted(keys, reverse=True))),
        tuple(fact_rows.closing(row) for row in closings),
        frozenset(id for _, id in proven),
        named[0][0] if named else None,
    )


def facts(session: Session, scope: Scope, keys: Sequence[int]) -> list[Fact]:
    """Facts by their keys, in that order, each with its newest evidence."""
    found = session.fetch(SQL["of_keys"], {"space": scope["space"], "keys": written(keys)})
    said = _evidence(session, scope, keys)
    return [fact_rows.fact(row[1:], said[row[0]]) for row in found]


def _evidence(session: Session, scope: Scope, keys: Sequence[int]) -> dict[int, list[Evidence]]:
    values = {"space_key": scope["space_key"], "keys": written(keys), "limit": EVIDENCE}
    found: dict[int, list[Evidence]] = {key: [] for key in keys}
    for row in session.fetch(SQL["evidence"], values):
        found[row[0]].append(fact_rows.evidence(row[1:]))
    return found


def _candidates(session: Session, scope: Scope, topic: Topic) -> Iterator[int]:
    named = session.fetch_each(SQL["key"], [scope | {"id": id} for id in topic.ids])
    chosen = [row for rows in named for row in rows]
    yield from _firsts(chosen)
    for slot in _slots(facts(session, scope, list(_firsts(chosen))), topic):
        stated = [scope | slot | {"status": status, "limit": limit} for status, limit in IN_SLOT.items()]
        for rows in session.fetch_each(SQL["in_slot"], stated):
            yield from _firsts(rows)
        if slot["value_key"] is not None:
            yield from _firsts(session.fetch(SQL["with_value"], scope | slot | {"limit": WITH_VALUE}))
    said = () if topic.text is None else marks(topic.text)
    for rows in session.fetch_each(SQL["with_mark"], [scope | {"mark": one, "limit": WITH_MARK} for one in said]):
        yield from _firsts(rows)


def _slots(chosen: Sequence[Fact], topic: Topic) -> list[Scope]:
    """The slots that the topic names, and those of the facts that it names."""
    named = [(fact.subject, fact.attribute, fact.value) for fact in chosen]
    if topic.subject is not None:
        named.append((topic.subject, topic.attribute, topic.value))
    return [
        {"subject_key": key(subject), "attribute_key": key(attribute), "value_key": fact_rows.key_or_none(value)}
        for subject, attribute, value in named
        if attribute is not None
    ]


def _closings(session: Session, scope: Scope, keys: Iterable[int]) -> list[Row]:
    """What ended these facts, what they ended, and what else was ended by what ended them."""
    ended = session.fetch(SQL["closings"], {"keys": written(list(keys))})
    closers = {*keys, *(int(row[1]) for row in ended)}
    values = {"space_key": scope["space_key"], "keys": written(sorted(closers))}
    return list(dict.fromkeys([*ended, *session.fetch(SQL["closings_by"], values)]))


def _message(topic: Topic) -> Scope:
    return {"message_id": topic.message_id}


def _firsts(rows: Iterable[Row]) -> Iterator[int]:
    return (int(row[0]) for row in rows)
