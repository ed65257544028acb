"""Rows of facts as values, and back: the same for every store."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from recollect.ids import microseconds
from recollect.models import Evidence, Fact, Json, Relation
from recollect.records import Closing, FactFilter
from recollect.stores.ledger_rows import written
from recollect.stores.rows import Row, moment, moment_or_none
from recollect.text.likeness import key


def fact(row: Row, evidence: Sequence[Evidence]) -> Fact:
    """From: the fact's own columns in the order of its value, without the evidence."""
    *first, category, tags, method, model, tokens, start, stop, known, unknown, accesses, accessed, created, updated = (
        row
    )
    id, space, kind, subject, attribute, value, text, status, confidence, importance = first
    return Fact(
        id, space, kind, subject, attribute, value, text, status, confidence, importance, category,
        tuple(json.loads(tags)), method, model, tokens, tuple(evidence), moment_or_none(start), moment_or_none(stop),
        moment(known), moment_or_none(unknown), accesses, moment_or_none(accessed), moment(created), moment(updated),
    )  # fmt: skip


def evidence(row: Row) -> Evidence:
    id, conversation, quote, speaker, said_at = row
    return Evidence(id, conversation, quote, speaker, moment(said_at))


def relation(row: Row) -> Relation:
    source, kind, target, strength, created = row
    return Relation(source, kind, target, strength, moment(created))


def closing(row: Row) -> Closing:
    """From: closed key, by key, closed id, by id, at, status, valid_until."""
    return Closing(row[2], row[3], moment(row[4]), row[5], moment_or_none(row[6]))


def columns(fact: Fact) -> dict[str, Json]:
    return {
        "id": fact.id,
        "kind": fact.kind,
        "subject": fact.subject,
        "attribute": fact.attribute,
        "value": fact.value,
        "text": fact.text,
        "status": fact.status,
        "confidence": fact.confidence,
        "importance": fact.importance,
        "category": fact.category,
        "tags": written(fact.tags),
        "method": fact.method,
        "model": fact.model,
        "tokens": fact.tokens,
        "valid_from": at_or_none(fact.valid_from),
        "valid_until": at_or_none(fact.valid_until),
        "known_from": microseconds(fact.known_from),
        "known_until": at_or_none(fact.known_until),
        "accesses": fact.accesses,
        "accessed_at": at_or_none(fact.accessed_at),
        "created_at": microseconds(fact.created_at),
        "updated_at": microseconds(fact.updated_at),
        "subject_key": key(fact.subject),
        "attribute_key": key_or_none(fact.attribute),
        "value_key": key_or_none(fact.value),
    }


def wanted(filter: FactFilter) -> dict[str, Json]:
    """What a list is asked for, as the values of its query."""
    return {
        "kind": filter.kind,
        "category": filter.category,
        "tag": filter.tag,
        "subject_key": key_or_none(filter.subject),
        "not_over": at_or_none(filter.not_over),
        "as_of": at_or_none(filter.as_of),
        "known_at": at_or_none(filter.known_at),
    }


def at_or_none(moment: datetime | None) -> int | None:
    return None if moment is None else microseconds(moment)


def key_or_none(text: str | None) -> str | None:
    return None if text is None else key(text)
