"""A complete context as JSON, and back. The items of its sections are of several types, so each names its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from functools import cache, partial
from typing import Any, get_type_hints

from aforesaid.context.context import Context, Section, SectionItem
from aforesaid.context.current_turn import NewestMessage
from aforesaid.context.quote import Quote
from aforesaid.context.receipt import Receipt
from aforesaid.context.why import AskWhy
from aforesaid.models.json import Json
from aforesaid.models.message import Message
from aforesaid.models.pin import Pin
from aforesaid.models.profile import ProfileField
from aforesaid.models.summary import Summary
from aforesaid.remote.values import decode

ITEMS: Mapping[str, Any] = {kind.__name__: kind for kind in (ProfileField, Pin, Summary, Message, Quote, NewestMessage)}
APART = ("sections", "make_receipt", "ask_why")


def context_record(context: Context) -> dict[str, Json]:
    """The parts of a context, and its receipt."""
    record = {field.name: getattr(context, field.name) for field in fields(context) if field.name not in APART}
    sections = [
        {"name": part.name, "tokens": part.tokens, "items": [_item_record(item) for item in part.items]}
        for part in context.sections
    ]
    plain = {name: _plain(value) for name, value in record.items()}
    return plain | {"sections": sections, "receipt": context.receipt.to_dict()}


def read_context(record: Mapping[str, Json], ask_why: AskWhy | None = None) -> Context:
    sections = tuple(
        Section(part["name"], tuple(_read_item(item) for item in part["items"]), part["tokens"])
        for part in record["sections"]
    )
    known = {name: decode(kind, record[name]) for name, kind in _types().items() if name in record}
    return Context(
        **known, sections=sections, make_receipt=partial(Receipt.from_dict, record["receipt"]), ask_why=ask_why
    )


@cache
def _types() -> Mapping[str, Any]:
    hints = get_type_hints(Context)
    return {field.name: hints[field.name] for field in fields(Context) if field.name not in APART}


def _item_record(item: SectionItem) -> dict[str, Json]:
    return (
        {"type": "str", "value": item}
        if isinstance(item, str)
        else {"type": type(item).__name__, "value": asdict(item)}
    )


def _read_item(item: Mapping[str, Json]) -> SectionItem:
    if item["type"] == "str":
        return str(item["value"])
    return decode(ITEMS[item["type"]], item["value"])  # type: ignore[no-any-return]


def _plain(value: Any) -> Json:  # noqa: ANN401 (a field of a context)
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return asdict(value) if hasattr(value, "__dataclass_fields__") else value
