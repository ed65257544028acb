"""The stored form of a receipt, a tenth of its JSON.

The items that are messages are packed: each field is a column, and the columns are compressed. They contain numbers and
words of aforesaid, never a word of a user. The ids of the messages are kept apart, because the store keeps their keys
instead. Everything else is JSON, so that a search for a text finds it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from aforesaid.context.receipt import SCORE, Receipt, ReceiptItem
from aforesaid.context.recipe import RECIPES
from aforesaid.context.request import ContextRequest
from aforesaid.models.json import Json
from aforesaid.models.recall import Score
from aforesaid.models.retrieval import StoredReceipt
from aforesaid.models.value import decode, encode

SCALE = 1000  # a receipt has three decimals of a score
UNSET: Mapping[str, Json] = {
    "source_message_id": None,
    "tokens": 0,
    "score": None,
    "sources": [],
    "space": None,
    "missing": 0,
}  # of an item

T = TypeVar("T")


def to_stored(receipt: Receipt) -> StoredReceipt:
    packed = [item for item in receipt.items if _is_packed(item)]
    others = {at: item for at, item in enumerate(receipt.items) if not _is_packed(item)}
    record = receipt.to_dict() | {
        "call": _without_defaults(receipt.call),
        "items": [_set_fields(item) for item in others.values()],
    }
    for name in ("id", "space", "conversation", "at"):  # columns of their own
        del record[name]
    if receipt.question == receipt.query:
        del record["question"]
    if receipt.text is None:
        del record["text"]
    body = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    messages = tuple(item.id for item in packed)
    place = receipt.space, receipt.conversation, receipt.at
    return StoredReceipt(receipt.id, *place, body, messages, _pack(packed, list(others)))


def from_stored(stored: StoredReceipt) -> Receipt:
    """The inverse of `to_stored`. Leaves out messages that are no longer stored. Reads the whole JSON of a receipt too,
    which older versions have stored."""
    record = json.loads(stored.body)
    call = {"query": None} | record["call"]
    call["recipe"] = RECIPES[call["recipe"]["name"]].to_dict() | call["recipe"] if _is_known(call) else call["recipe"]
    place = {"id": stored.id, "space": stored.space, "conversation": stored.conversation, "at": stored.at.isoformat()}
    record["items"] = [{**UNSET, **item} for item in record["items"]]
    receipt = decode(Receipt, {"question": call["query"], "text": None} | record | place | {"call": call}, lenient=True)
    return replace(receipt, items=_unpack(stored, receipt.items)) if stored.items else receipt


def rounded(item: ReceiptItem) -> ReceiptItem:
    """The item with a score as it is stored."""
    if item.score is None:
        return item
    return replace(item, score=Score(*(_scaled(item.score, name) / SCALE for name in SCORE)))


def _scaled(score: Score, part: str) -> int:
    scaled: int = round(getattr(score, part) * SCALE)
    return scaled


def _is_packed(item: ReceiptItem) -> bool:
    return item.kind == "message" and item.id == item.source_message_id and item.space is None


def _set_fields(item: ReceiptItem) -> dict[str, Json]:
    return {name: value for name, value in item.to_dict().items() if name not in UNSET or value != UNSET[name]}


def _without_defaults(call: ContextRequest) -> dict[str, Json]:
    """The fields of a call without those that are None, and its recipe without the fields of the recipe of its name."""
    known, recipe = RECIPES.get(call.recipe.name), call.recipe.to_dict()
    if known is not None:
        usual = known.to_dict()
        recipe = {name: value for name, value in recipe.items() if usual[name] != value or name == "name"}
    given = encode(call, "recipe")
    return {name: value for name, value in given.items() if value is not None} | {"recipe": recipe}


def _is_known(call: Mapping[str, Json]) -> bool:
    return call["recipe"]["name"] in RECIPES


def _pack(items: Sequence[ReceiptItem], others: Sequence[int]) -> bytes:
    scores = [item.score for item in items if item.score is not None]
    columns = {
        "others": others,  # the places of the other items
        "section": _numbered([item.section for item in items]),
        "included": [int(item.included) for item in items],
        "reason": _numbered([item.reason for item in items]),
        "tokens": [item.tokens for item in items],
        "missing": [item.missing for item in items] if any(item.missing for item in items) else [],
        "sources": _numbered([item.sources for item in items]),
        "scored": [int(item.score is not None) for item in items],
        "scores": {name: column for name in SCORE if any(column := [_scaled(score, name) for score in scores])},
    }
    return zlib.compress(json.dumps(columns, ensure_ascii=False, separators=(",", ":")).encode(), 9)


def _unpack(stored: StoredReceipt, others: Sequence[ReceiptItem]) -> tuple[ReceiptItem, ...]:
    columns = json.loads(zlib.decompress(stored.items))
    parts = {"total": [0] * sum(columns["scored"])} | columns["scores"]
    parts = {name: values for name, values in parts.items() if name in SCORE}
    shares = zip(*([value / SCALE for value in values] for values in parts.values()), strict=True)
    scores = iter([Score(**dict(zip(parts, row, strict=True))) for row in shares])
    sections, reasons, sources = (_named(*columns[name]) for name in ("section", "reason", "sources"))
    missing = columns.get("missing") or [0] * len(columns["tokens"])
    shown = zip(columns["included"], columns["tokens"], missing, columns["scored"], strict=True)
    items: list[ReceiptItem | None] = []
    for id, section, reason, found_by, row in zip(stored.messages, sections, reasons, sources, shown, strict=True):
        included, tokens, lacked, scored = row
        score = next(scores) if scored else None
        place = section, "message", id, id, bool(included), reason, tokens
        item = ReceiptItem(*place, score, tuple(found_by), missing=lacked)
        items.append(item if id else None)
    for at, other in zip(columns["others"], others, strict=True):
        items.insert(at, other)
    return tuple(item for item in items if item is not None)


def _numbered(values: Sequence[T]) -> tuple[list[T], list[int]]:
    """The different values, and the number of each."""
    known = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return list(known), [known[value] for value in values]


def _named(names: Sequence[T], numbers: Sequence[int]) -> list[T]:
    return [names[number] for number in numbers]
