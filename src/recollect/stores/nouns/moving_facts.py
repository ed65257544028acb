"""Facts with all that belongs to them, as they leave and come back, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from recollect.errors import InvalidInput, NotFound
from recollect.ids import microseconds
from recollect.models import Fact, Relation
from recollect.records import Ended, KeptFact, Proof
from recollect.stores import queries
from recollect.stores.database import Session
from recollect.stores.fact_rows import at_or_none
from recollect.stores.ledger_rows import written
from recollect.stores.nouns import fact_changes, fact_notes, forget_facts
from recollect.stores.rows import Row, moment, moment_or_none

SQL = queries.named("moving")
DECIDED = ("rejected", "archived")


def kept(session: Session, space_key: int | None, facts: Sequence[Fact]) -> list[KeptFact]:
    scope = {"space_key": space_key, "ids": written([fact.id for fact in facts])}
    proofs: dict[str, list[Proof]] = {}
    ended: dict[str, list[Ended]] = {}
    relations: dict[str, list[Relation]] = {}
    for id, *proof in session.fetch(SQL["proofs"], scope):
        proofs.setdefault(id, []).append(Proof(*proof))
    for id, *row in session.fetch(SQL["ended"], scope):
        ended.setdefault(id, []).append(_ended(tuple(row)))
    for id, kind, target, strength, created_at in session.fetch(SQL["relations"], scope):
        relations.setdefault(id, []).append(Relation(id, kind, target, strength, moment(created_at)))
    return [
        KeptFact(fact, tuple(proofs.get(fact.id, ())), tuple(ended.get(fact.id, ())), tuple(relations.get(fact.id, ())))
        for fact in facts
    ]


def keep(session: Session, space_key: int, one: KeptFact, own: Collection[str]) -> None:
    """Writes a fact with its evidence, unless it was changed here since. One that is as it was gets evidence that it
    lost back."""
    fact = one.fact
    known = session.fetch(SQL["fact"], {"space_key": space_key, "id": fact.id})
    if known and known[0][1] > microseconds(fact.updated_at):
        return
    same = bool(known) and known[0][1] == microseconds(fact.updated_at)
    fact_key = int(known[0][0]) if same else fact_changes.save(session, space_key, fact)
    _prove(session, space_key, fact_key, one)
    if not known:
        _make_room(session, {"space_key": space_key, "fact_key": fact_key}, fact, own)
    fact_notes.note(session, space_key, fact_key)


def tie(session: Session, space_key: int, one: KeptFact) -> None:
    """Writes what ended a fact, where the fact is as it was then, and its relations."""
    id = one.fact.id
    for fact_key, updated_at in session.fetch(SQL["fact"], {"space_key": space_key, "id": id}):
        if updated_at == microseconds(one.fact.updated_at):
            _end(session, space_key, fact_key, one)
        for relation in one.relations:
            values = {"kind": relation.kind, "strength": relation.strength, "source_key": fact_key}
            times = {"target_key": _other(session, space_key, id, relation.target), "space_key": space_key}
            session.execute(SQL["relate"], values | times | {"created_at": microseconds(relation.created_at)})


def _prove(session: Session, space_key: int, fact_key: int, one: KeptFact) -> None:
    """The gate: every quote stands in its message, and what nobody remembered by hand was said by a user."""
    for proof in one.proofs:
        try:
            fact_changes.prove(session, space_key, fact_key, proof, strict=False)
        except (InvalidInput, NotFound) as exc:
            raise InvalidInput(f"fact {one.fact.id!r}: {exc}") from exc
    scope = {"space_key": space_key, "fact_key": fact_key}
    if one.fact.method != "manual" and not session.fetch(SQL["said_by_a_user"], scope):
        raise InvalidInput(f"fact {one.fact.id!r}: no words of a user prove it")


def _make_room(session: Session, scope: dict[str, int], fact: Fact, own: Collection[str]) -> None:
    """Takes the place of what was noted here by itself, of the same messages and saying the same. What was decided
    about that is decided about this."""
    for twin_key, id, status in session.fetch(SQL["twins"], scope):
        if id in own:
            continue
        pair = scope | {"twin_key": twin_key}
        if status in DECIDED and fact.status not in DECIDED:
            session.execute(SQL["take_decision"], pair)
        session.execute(SQL["take_evidence"], pair)
        forget_facts.remove(session, scope["space_key"], twin_key)


def _end(session: Session, space_key: int, fact_key: int, one: KeptFact) -> None:
    stored = session.fetch(SQL["ended"], {"space_key": space_key, "ids": written([one.fact.id])})
    if [_ended(row[1:]) for row in stored] == list(one.ended):
        return
    session.execute(SQL["unend"], {"fact_key": fact_key})
    for ended in one.ended:
        values = {
            "space_key": space_key,
            "fact_key": fact_key,
            "by_key": _other(session, space_key, one.fact.id, ended.by),
            "at": microseconds(ended.at),
            "status": ended.status,
            "valid_until": at_or_none(ended.valid_until),
            "closed_until": at_or_none(ended.closed_until),
            "corrected": ended.corrected,
            "undone_at": at_or_none(ended.undone_at),
        }
        session.execute(SQL["end"], values)
    fact_notes.note(session, space_key, fact_key)


def _other(session: Session, space_key: int, id: str, other: str) -> int:
    try:
        return fact_changes.key_of(session, space_key, other)
    except NotFound as exc:
        raise InvalidInput(f"fact {id!r}: {exc}") from exc


def _ended(row: Row) -> Ended:
    by, at, status, valid_until, closed_until, corrected, undone_at = row
    before, after = moment_or_none(valid_until), moment_or_none(closed_until)
    return Ended(by, moment(at), status, before, after, bool(corrected), moment_or_none(undone_at))
