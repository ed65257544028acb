"""Writes what was decided about facts, inside the caller's transaction, through the evidence gate."""

from __future__ import annotations

from datetime import datetime

from recollect.errors import InvalidInput, NotFound
from recollect.ids import microseconds
from recollect.models import Fact, Relation
from recollect.records import Change, Closing, Proof
from recollect.stores import fact_rows, queries
from recollect.stores.database import Session
from recollect.stores.ledger_rows import written
from recollect.stores.nouns import fact_notes
from recollect.text.likeness import marks

SQL = queries.named("facts")
RELATIONS = queries.named("relations")

QUOTED = 500  # characters of a message that stand as evidence where somebody named it as the source


def apply(session: Session, space_key: int, change: Change, at: datetime) -> None:
    keys = {fact.id: save(session, space_key, fact) for fact in change.facts}
    methods = {fact.id: fact.method for fact in change.facts}
    for id, proof in change.proofs:
        prove(session, space_key, keys[id], proof, strict=methods[id] != "manual")
    _refuse_unproven(session, list(keys.values()))
    for relation in change.unrelated:
        session.execute(RELATIONS["remove"], _relation(session, space_key, relation))
    for relation in change.relations:
        session.execute(RELATIONS["put"], _relation(session, space_key, relation))
    for id in change.reopened:
        session.execute(SQL["reopen"], {"fact_key": key_of(session, space_key, id), "at": microseconds(at)})
    for closing in change.closed:
        values = _closing(session, space_key, closing)
        session.execute(SQL["reopen"], {"fact_key": values["fact_key"], "at": microseconds(at)})
        session.execute(SQL["close"], values)
    reopened = [key_of(session, space_key, id) for id in change.reopened]
    closed = [key_of(session, space_key, closing.closed) for closing in change.closed]
    for key in dict.fromkeys([*keys.values(), *reopened, *closed]):
        fact_notes.note(session, space_key, key)


def key_of(session: Session, space_key: int, id: str) -> int:
    found = session.fetch(SQL["key"], {"space_key": space_key, "id": id})
    if not found:
        raise NotFound(f"there is no fact {id!r}")
    return int(found[0][0])


def save(session: Session, space_key: int, fact: Fact) -> int:
    known = session.fetch(SQL["key"], {"space_key": space_key, "id": fact.id})
    fact_key = int(session.fetch(SQL["save"], {"space_key": space_key, **fact_rows.columns(fact)})[0][0])
    if not known:
        mark(session, space_key, fact_key, fact.text)
    return fact_key


def mark(session: Session, space_key: int, fact_key: int, text: str) -> None:
    """Lets a fact be found by its words, and by none that it had before."""
    session.execute(SQL["unmark"], {"fact_key": fact_key})
    values = [{"space_key": space_key, "fact_key": fact_key, "mark": each} for each in marks(text)]
    session.execute_each(SQL["mark"], values)


def prove(session: Session, space_key: int, fact_key: int, proof: Proof, *, strict: bool) -> None:
    """The gate: the quote stands in the message, and (where nobody answers for it by hand) a user said it."""
    found = session.fetch(SQL["message"], {"space_key": space_key, "message_id": proof.message_id})
    if not found:
        raise NotFound(f"there is no message {proof.message_id!r} to prove a fact")
    message_key, role, text = found[0]
    if strict and role != "user":
        raise InvalidInput(f"message {proof.message_id!r} is the {role}'s; only a user's words prove a fact")
    quote = text[:QUOTED] if proof.quote is None and not strict else proof.quote or ""
    if not quote.strip() or quote not in text:
        raise InvalidInput(f"the quote does not stand in message {proof.message_id!r} word for word")
    values = {"quote": quote, "text": proof.text, "value": proof.value}
    scope = {"space_key": space_key, "fact_key": fact_key, "message_key": message_key}
    session.execute(SQL["prove"], scope | values)


def _refuse_unproven(session: Session, keys: list[int]) -> None:
    for (id,) in session.fetch(SQL["unproven"], {"keys": written(keys)}):
        raise InvalidInput(f"fact {id!r} has no evidence; only what is remembered by hand needs none")


def _relation(session: Session, space_key: int, relation: Relation) -> dict[str, object]:
    return {
        "space_key": space_key,
        "source_key": key_of(session, space_key, relation.source),
        "kind": relation.kind,
        "target_key": key_of(session, space_key, relation.target),
        "strength": relation.strength,
        "created_at": microseconds(relation.created_at),
    }


def _closing(session: Session, space_key: int, closing: Closing) -> dict[str, object]:
    return {
        "fact_key": key_of(session, space_key, closing.closed),
        "space_key": space_key,
        "by_key": key_of(session, space_key, closing.by),
        "at": microseconds(closing.at),
        "status": closing.status,
        "valid_until": fact_rows.at_or_none(closing.valid_until),
    }
