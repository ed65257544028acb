"""Writes and removes facts inside the caller's transaction.

Every quote is checked against its message. A fact that loses all of its evidence is removed."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from aforesaid.errors import InvalidInput, NotFound
from aforesaid.ids import microseconds
from aforesaid.models.fact import Fact, FactChange, Proof, Relation, Supersession
from aforesaid.models.json import Json
from aforesaid.models.record import merge_records, record_text
from aforesaid.storage import queries
from aforesaid.storage.columns import json_text, key_or_none, to_columns
from aforesaid.storage.database import Session, first, scalar
from aforesaid.storage.repositories import lineage, notes
from aforesaid.text.similarity import comparison_key, lookup_terms

SQL = queries.named("facts")
RELATIONS = queries.named("relations")
FORGET_FACTS = queries.named("forget_facts")

QUOTED = 500  # characters of a message that are the quote if the caller gives none


def apply_change(session: Session, space_key: int, change: FactChange, at: datetime) -> None:
    keys = {fact.id: save(session, space_key, fact) for fact in change.facts}
    methods = {fact.id: fact.method for fact in change.facts}
    for id, proof in change.proofs:
        add_evidence(session, space_key, keys[id], proof, strict=methods[id] != "manual")
    for id, other in change.inherited:
        scope = {"space_key": space_key, "fact_key": keys[id], "from_key": key_of(session, space_key, other)}
        session.execute(SQL["inherit"], scope)
    _refuse_unproven(session, list(keys.values()))
    for relation in change.unrelated:
        session.execute(RELATIONS["remove"], _relation(session, space_key, relation))
    for relation in change.relations:
        session.execute(RELATIONS["put"], _relation(session, space_key, relation))
    reopened = [key_of(session, space_key, id) for id in change.reopened]
    closings = [_closing(session, space_key, supersession) for supersession in change.closed]
    for fact_key in reopened:
        session.execute(SQL["reopen"], {"fact_key": fact_key, "at": microseconds(at)})
    for closing in closings:
        session.execute(SQL["reopen"], {"fact_key": closing["fact_key"], "at": microseconds(at)})
        session.execute(SQL["close"], closing)
    for fact_key in dict.fromkeys([*keys.values(), *reopened, *(closing["fact_key"] for closing in closings)]):
        notes.note_fact(session, space_key, fact_key)


def key_of(session: Session, space_key: int, id: str) -> int:
    row = first(session.fetch(SQL["key"], {"space_key": space_key, "id": id}))
    if row is None:
        raise NotFound(f"there is no fact {id!r}")
    return int(row.fact_key)


def save(session: Session, space_key: int, fact: Fact) -> int:
    known = session.fetch(SQL["key"], {"space_key": space_key, "id": fact.id})
    fact_key = int(scalar(session.fetch(SQL["save"], {"space_key": space_key, **_columns(fact)})))
    if not known:
        index_marks(session, space_key, fact_key, fact.text)
    return fact_key


def _columns(fact: Fact) -> dict[str, Json]:
    return to_columns(fact, "evidence") | slot_keys(fact.subject, fact.attribute, fact.value)


def slot_keys(subject: str, attribute: str | None, value: str | None) -> dict[str, str | None]:
    """Returns the normalized columns by which facts of the same slot and value are found."""
    return {
        "subject_key": comparison_key(subject),
        "attribute_key": key_or_none(attribute),
        "value_key": key_or_none(value),
    }


def index_marks(session: Session, space_key: int, fact_key: int, text: str) -> None:
    """Indexes a fact by its terms, and removes the terms that it had before."""
    session.execute(SQL["unmark"], {"fact_key": fact_key})
    values = [{"space_key": space_key, "fact_key": fact_key, "mark": term} for term in lookup_terms(text)]
    session.execute_each(SQL["mark"], values)


def add_evidence(session: Session, space_key: int, fact_key: int, proof: Proof, *, strict: bool) -> None:
    """The evidence gate: the message contains the quote. `strict`: the message is a user's, because the fact was not
    made by hand."""
    message = first(session.fetch(SQL["message"], {"space_key": space_key, "message_id": proof.message_id}))
    if message is None:
        raise NotFound(f"there is no message {proof.message_id!r} as evidence for a fact")
    if strict and message.role != "user":
        raise InvalidInput(
            f"message {proof.message_id!r} is from the {message.role}; only a user's message is evidence"
        )
    quote = message.text[:QUOTED] if proof.quote is None and not strict else proof.quote or ""
    if not quote.strip() or quote not in message.text:
        raise InvalidInput(f"message {proof.message_id!r} does not contain the quote word for word")
    values = {"quote": quote, "text": proof.text, "value": proof.value, "supports": int(proof.supports)}
    scope = {"space_key": space_key, "fact_key": fact_key, "message_key": message.message_key}
    session.execute(SQL["prove"], scope | values)


def _refuse_unproven(session: Session, keys: list[int]) -> None:
    for (id,) in session.fetch(SQL["unproven"], {"keys": json_text(keys)}):
        raise InvalidInput(f"fact {id!r} has no evidence; only a fact that you add by hand needs none")


def _relation(session: Session, space_key: int, relation: Relation) -> dict[str, Json]:
    source_key, target_key = (key_of(session, space_key, id) for id in (relation.source, relation.target))
    return to_columns(relation) | {"space_key": space_key, "source_key": source_key, "target_key": target_key}


def _closing(session: Session, space_key: int, closing: Supersession) -> dict[str, Json]:
    fact_key, by_key = (key_of(session, space_key, id) for id in (closing.closed, closing.by))
    return to_columns(closing) | {"space_key": space_key, "fact_key": fact_key, "by_key": by_key}


def remove_evidence(session: Session, space_key: int, messages: Collection[int]) -> None:
    """Removes the evidence in these messages. A fact without other evidence is removed; one with other evidence is
    reworded after that."""
    scope = {"space_key": space_key, "messages": json_text(sorted(messages))}
    keys = [int(fact_key) for (fact_key,) in session.fetch(FORGET_FACTS["of_messages"], scope)]
    session.execute(FORGET_FACTS["unprove"], scope)
    rows = session.fetch(FORGET_FACTS["unsaid"], {"space_key": space_key, "facts": json_text(keys)})
    unproven = {int(fact_key) for (fact_key,) in rows}
    proven = [fact_key for fact_key in keys if fact_key not in unproven]
    # a fact that has only evidence copied from a merged one keeps it for good: the merge is never undone
    session.execute(FORGET_FACTS["adopt"], {"space_key": space_key, "facts": json_text(proven)})
    for fact_key in proven:
        _reword(session, space_key, fact_key)
    for fact_key in sorted(unproven, reverse=True):
        remove_fact(session, space_key, fact_key)
    for fact_key in proven:
        notes.note_fact(session, space_key, fact_key)


def remove_fact(session: Session, space_key: int, fact_key: int) -> None:
    """Removes a fact with its evidence and relations. Facts it closed are open again, or closed by its successor."""
    scope = {"space_key": space_key, "fact_key": fact_key}
    reopened = notes.facts_closed_by(session, space_key, fact_key)
    session.execute(FORGET_FACTS["last"], scope)
    session.execute(FORGET_FACTS["hand_on"], scope)
    session.execute(FORGET_FACTS["reopen"], scope)
    lineage.remove_sources(session, space_key, "fact", [fact_key])
    notes.remove_fact_note(session, space_key, fact_key)
    session.execute(FORGET_FACTS["delete"], scope)
    for reopened_key in reopened:
        notes.note_fact(session, space_key, reopened_key)


def _reword(session: Session, space_key: int, fact_key: int) -> None:
    """Words the fact as its first evidence does, and a record as all of its evidence does. Erases the reason, which may
    repeat what was said."""
    scope = {"space_key": space_key, "fact_key": fact_key}
    session.execute(FORGET_FACTS["unreason"], scope)
    stated = session.fetch(FORGET_FACTS["stated"], scope)
    if stated:
        value = merge_records([row.value for row in stated])
        words = {"text": record_text(stated[0].schema, value), "value": value}
        session.execute(FORGET_FACTS["restate"], scope | words)
        rewordings = [tuple(words.values())]
    else:
        rewordings = [tuple(row) for row in session.fetch(FORGET_FACTS["reword"], scope)]
    for text, value in rewordings:
        session.execute(FORGET_FACTS["rekey"], {"fact_key": fact_key, "value_key": key_or_none(value)})
        index_marks(session, space_key, fact_key, text)
