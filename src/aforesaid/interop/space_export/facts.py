"""Facts with their evidence, endings and relations as JSON records, and back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path

from aforesaid.errors import InvalidInput
from aforesaid.interop.json_stream import batches, errors_named, parse_records
from aforesaid.interop.space_export.fields import (
    required,
    required_time,
    text_or_none,
    texts,
    time_or_none,
    to_json_values,
)
from aforesaid.models.fact import (
    FACT_KINDS,
    FACT_METHODS,
    FACT_STATES,
    RELATION_KINDS,
    Fact,
    FactExport,
    FactStatus,
    Proof,
    Relation,
    SupersessionRecord,
)
from aforesaid.models.json import Json
from aforesaid.storage.store import Store
from aforesaid.text import validate

FILE = "facts"
PAGE = 200
STATUSES_BEFORE_END: tuple[FactStatus, ...] = ("pending", "active", "archived")  # what a fact can be before it is ended


def found(store: Store, space: str) -> Iterator[Json]:
    """All facts, oldest first."""
    after: str | None = None
    while page := store.transfer.facts(space, PAGE, after):
        yield from map(_record, page)
        after = page[-1].fact.id


def ids(folder: Path) -> frozenset[str]:
    return frozenset(parse_records(folder / f"{FILE}.json", lambda record: validate.name(required(record, "id"), "id")))


def read(store: Store, folder: Path, space: str, own: Collection[str], progress: Callable[[int], None]) -> None:
    """Imports facts with the check of their evidence, and then the relations between them."""
    path = folder / f"{FILE}.json"
    for batch in batches(parse_records(path, partial(_to_kept_fact, space)), PAGE):
        with errors_named(path):
            store.transfer.import_facts(space, batch, own)
        progress(len(batch))
    for batch in batches(parse_records(path, partial(_to_kept_fact, space)), PAGE):
        with errors_named(path):
            store.transfer.link_facts(space, batch)


def _record(kept: FactExport) -> Json:
    record = {name: value for name, value in asdict(kept.fact).items() if name not in ("space", "evidence")}
    relations = [{name: value for name, value in asdict(one).items() if name != "source"} for one in kept.relations]
    return to_json_values(record) | {
        "evidence": [to_json_values(asdict(proof)) for proof in kept.proofs],
        "ended": [to_json_values(asdict(one)) for one in kept.ended],
        "relations": [to_json_values(one) for one in relations],
    }


def _to_kept_fact(space: str, record: Mapping[str, Json]) -> FactExport:
    fact = _fact(space, record)
    return FactExport(
        fact,
        tuple(_proof(one) for one in _record_list(record, "evidence")),
        tuple(_ended(one) for one in _record_list(record, "ended")),
        tuple(_relation(fact.id, one) for one in _record_list(record, "relations")),
    )


def _fact(space: str, record: Mapping[str, Json]) -> Fact:
    start, stop = time_or_none(record, "valid_from"), time_or_none(record, "valid_until")
    if start is not None and stop is not None and start > stop:
        raise InvalidInput("valid_from lies behind valid_until")
    category = text_or_none(record, "category")
    return Fact(
        id=validate.new_name(required(record, "id"), "id"),
        space=space,
        kind=validate.choice(required(record, "kind"), FACT_KINDS, "a fact's kind"),
        subject=validate.non_blank(required(record, "subject"), "subject"),
        attribute=text_or_none(record, "attribute"),
        value=text_or_none(record, "value"),
        text=validate.non_blank(required(record, "text"), "text"),
        status=validate.choice(required(record, "status"), FACT_STATES, "a fact's status"),
        confidence=validate.share(required(record, "confidence"), "confidence"),
        importance=validate.share(required(record, "importance"), "importance"),
        category=None if category is None else validate.new_name(category, "category"),
        tags=tuple(validate.new_name(tag, "a tag") for tag in texts(required(record, "tags"), "tags")),
        method=validate.choice(required(record, "method"), FACT_METHODS, "a fact's method"),
        model=text_or_none(record, "model"),
        tokens=validate.count(required(record, "tokens"), "tokens", 0),
        evidence=(),
        valid_from=start,
        valid_until=stop,
        known_from=required_time(record, "known_from"),
        known_until=time_or_none(record, "known_until"),
        accesses=validate.count(required(record, "accesses"), "accesses", 0),
        accessed_at=time_or_none(record, "accessed_at"),
        created_at=required_time(record, "created_at"),
        updated_at=required_time(record, "updated_at"),
    )


def _proof(record: Mapping[str, Json]) -> Proof:
    return Proof(
        validate.name(required(record, "message_id"), "message_id"),
        validate.non_blank(required(record, "quote"), "quote"),
        validate.text(required(record, "text"), "text"),
        text_or_none(record, "value"),
    )


def _ended(record: Mapping[str, Json]) -> SupersessionRecord:
    corrected = required(record, "corrected")
    if not isinstance(corrected, bool):
        raise InvalidInput("corrected must be true or false")
    return SupersessionRecord(
        validate.name(required(record, "by"), "by"),
        required_time(record, "at"),
        validate.choice(required(record, "status"), STATUSES_BEFORE_END, "the status before"),
        time_or_none(record, "valid_until"),
        time_or_none(record, "closed_until"),
        corrected,
        time_or_none(record, "undone_at"),
    )


def _relation(source: str, record: Mapping[str, Json]) -> Relation:
    target = validate.name(required(record, "target"), "target")
    if target == source:
        raise InvalidInput("a fact bears no relation to itself")
    kind = validate.choice(required(record, "kind"), RELATION_KINDS, "a relation's kind")
    strength, at = validate.share(required(record, "strength"), "strength"), required_time(record, "created_at")
    return Relation(source, kind, target, strength, at)


def _record_list(record: Mapping[str, Json], name: str) -> list[dict[str, Json]]:
    return validate.records(required(record, name), name)
