"""Facts with their evidence, endings and relations as JSON records, and back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from aforesaid.errors import InvalidInput
from aforesaid.interop.json_stream import import_batches
from aforesaid.interop.space_export.codec import Check, JsonRecord, decode, encode, one_of, required, texts
from aforesaid.models.fact import Fact, FactExport, Proof, Relation, SupersessionRecord
from aforesaid.models.json import Json
from aforesaid.storage.store import Store
from aforesaid.text import validate

FILE = "facts"
PAGE = 200


def export_facts(store: Store, space: str, unproven: Collection[str] = ()) -> Iterator[Json]:
    """All facts, oldest first, without evidence from these messages, and without facts that have no other."""
    after: str | None = None
    while page := store.transfer.facts(space, PAGE, after):
        for record in page:
            proofs = tuple(proof for proof in record.proofs if proof.message_id not in unproven)
            if proofs or not record.proofs:
                yield _encode_fact(replace(record, proofs=proofs))
        after = page[-1].fact.id


def import_facts(store: Store, folder: Path, space: str, own: Collection[str], progress: Callable[[int], None]) -> None:
    """Imports facts, checks their evidence, and then imports the relations between them."""

    def add(batch: list[FactExport]) -> None:
        store.transfer.import_facts(space, batch, own)
        progress(len(batch))

    path, parse = folder / f"{FILE}.json", partial(_decode_fact, space)
    import_batches(path, parse, add, PAGE)
    import_batches(path, parse, partial(store.transfer.link_facts, space), PAGE)


def _encode_fact(export: FactExport) -> Json:
    return encode(export.fact, "space", "evidence") | {
        "evidence": list(map(encode, export.proofs)),
        "ended": list(map(encode, export.ended)),
        "relations": [encode(relation, "source") for relation in export.relations],
    }


def _decode_fact(space: str, record: JsonRecord) -> FactExport:
    fact = decode(Fact, record, FACT_CHECKS, space=space, evidence=())
    if fact.valid_from is not None and fact.valid_until is not None and fact.valid_from > fact.valid_until:
        raise InvalidInput("valid_from is later than valid_until")
    proofs, ended, relations = (
        validate.records(required(record, name), name) for name in ("evidence", "ended", "relations")
    )
    return FactExport(
        fact,
        tuple(map(_decode_proof, proofs)),
        tuple(map(_decode_supersession, ended)),
        tuple(_decode_relation(fact.id, relation) for relation in relations),
    )


def _tags(value: Json, name: str) -> tuple[str, ...]:
    return tuple(validate.new_name(tag, "a tag") for tag in texts(value, name))


FACT_CHECKS: Mapping[str, Check] = {
    "id": validate.new_name,
    "subject": validate.non_blank,
    "text": validate.non_blank,
    "category": validate.new_name,
    "tags": _tags,
    "withdrawn_from": one_of("pending", "active", "superseded", "archived"),
}


def _decode_proof(record: JsonRecord) -> Proof:
    quote = validate.non_blank(required(record, "quote"), "quote")
    supports = {"supports": record.get("supports", True)}  # exports of earlier versions have none
    return decode(Proof, {**record, **supports}, {"message_id": validate.name}, quote=quote)


def _decode_supersession(record: JsonRecord) -> SupersessionRecord:
    status_before = one_of("pending", "active", "archived")
    return decode(SupersessionRecord, record, {"by": validate.name, "status": status_before})


def _decode_relation(source: str, record: JsonRecord) -> Relation:
    relation = decode(Relation, record, {"target": validate.name}, source=source)
    if relation.target == source:
        raise InvalidInput("a fact can have no relation to itself")
    return relation
