"""Facts as JSON records, each with its evidence, what ended it and how it bears on others; and back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path

from recollect.errors import InvalidInput
from recollect.models import FACT_KINDS, FACT_METHODS, FACT_STATES, RELATION_KINDS, Fact, FactStatus, Json, Relation
from recollect.portable.fields import moment, moment_or_none, needed, text_or_none, texts, written
from recollect.portable.stream import batches, named, parsed
from recollect.ports import Store
from recollect.records import Ended, KeptFact, Proof
from recollect.text import accept

FILE = "facts"
PAGE = 200
ENDED: tuple[FactStatus, ...] = ("pending", "active", "archived")  # what a fact can be before it is ended


def found(store: Store, space: str) -> Iterator[Json]:
    """In the order they were noted."""
    after: str | None = None
    while page := store.moving.facts(space, PAGE, after):
        yield from map(_record, page)
        after = page[-1].fact.id


def ids(folder: Path) -> frozenset[str]:
    return frozenset(parsed(folder / f"{FILE}.json", lambda record: accept.name(needed(record, "id"), "id")))


def read(store: Store, folder: Path, space: str, own: Collection[str], progress: Callable[[int], None]) -> None:
    """Puts facts back through the evidence gate; then what they have to do with each other, once all are there."""
    path = folder / f"{FILE}.json"
    for batch in batches(parsed(path, partial(_kept, space)), PAGE):
        with named(path):
            store.moving.keep_facts(space, batch, own)
        progress(len(batch))
    for batch in batches(parsed(path, partial(_kept, space)), PAGE):
        with named(path):
            store.moving.tie_facts(space, batch)


def _record(kept: KeptFact) -> Json:
    record = {name: value for name, value in asdict(kept.fact).items() if name not in ("space", "evidence")}
    relations = [{name: value for name, value in asdict(one).items() if name != "source"} for one in kept.relations]
    return written(record) | {
        "evidence": [written(asdict(proof)) for proof in kept.proofs],
        "ended": [written(asdict(one)) for one in kept.ended],
        "relations": [written(one) for one in relations],
    }


def _kept(space: str, record: Mapping[str, Json]) -> KeptFact:
    fact = _fact(space, record)
    return KeptFact(
        fact,
        tuple(_proof(one) for one in _listed(record, "evidence")),
        tuple(_ended(one) for one in _listed(record, "ended")),
        tuple(_relation(fact.id, one) for one in _listed(record, "relations")),
    )


def _fact(space: str, record: Mapping[str, Json]) -> Fact:
    start, stop = moment_or_none(record, "valid_from"), moment_or_none(record, "valid_until")
    if start is not None and stop is not None and start > stop:
        raise InvalidInput("valid_from lies behind valid_until")
    category = text_or_none(record, "category")
    return Fact(
        id=accept.new_name(needed(record, "id"), "id"),
        space=space,
        kind=accept.choice(needed(record, "kind"), FACT_KINDS, "a fact's kind"),
        subject=accept.words(needed(record, "subject"), "subject"),
        attribute=text_or_none(record, "attribute"),
        value=text_or_none(record, "value"),
        text=accept.words(needed(record, "text"), "text"),
        status=accept.choice(needed(record, "status"), FACT_STATES, "a fact's status"),
        confidence=accept.share(needed(record, "confidence"), "confidence"),
        importance=accept.share(needed(record, "importance"), "importance"),
        category=None if category is None else accept.new_name(category, "category"),
        tags=tuple(accept.new_name(tag, "a tag") for tag in texts(needed(record, "tags"), "tags")),
        method=accept.choice(needed(record, "method"), FACT_METHODS, "a fact's method"),
        model=text_or_none(record, "model"),
        tokens=accept.count(needed(record, "tokens"), "tokens", 0),
        evidence=(),
        valid_from=start,
        valid_until=stop,
        known_from=moment(record, "known_from"),
        known_until=moment_or_none(record, "known_until"),
        accesses=accept.count(needed(record, "accesses"), "accesses", 0),
        accessed_at=moment_or_none(record, "accessed_at"),
        created_at=moment(record, "created_at"),
        updated_at=moment(record, "updated_at"),
    )


def _proof(record: Mapping[str, Json]) -> Proof:
    return Proof(
        accept.name(needed(record, "message_id"), "message_id"),
        accept.words(needed(record, "quote"), "quote"),
        accept.text(needed(record, "text"), "text"),
        text_or_none(record, "value"),
    )


def _ended(record: Mapping[str, Json]) -> Ended:
    corrected = needed(record, "corrected")
    if not isinstance(corrected, bool):
        raise InvalidInput("corrected must be true or false")
    return Ended(
        accept.name(needed(record, "by"), "by"),
        moment(record, "at"),
        accept.choice(needed(record, "status"), ENDED, "the status before"),
        moment_or_none(record, "valid_until"),
        moment_or_none(record, "closed_until"),
        corrected,
        moment_or_none(record, "undone_at"),
    )


def _relation(source: str, record: Mapping[str, Json]) -> Relation:
    target = accept.name(needed(record, "target"), "target")
    if target == source:
        raise InvalidInput("a fact bears no relation to itself")
    kind = accept.choice(needed(record, "kind"), RELATION_KINDS, "a relation's kind")
    strength, at = accept.share(needed(record, "strength"), "strength"), moment(record, "created_at")
    return Relation(source, kind, target, strength, at)


def _listed(record: Mapping[str, Json], name: str) -> list[dict[str, Json]]:
    return accept.records(needed(record, name), name)
