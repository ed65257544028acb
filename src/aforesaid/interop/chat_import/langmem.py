"""Parses memories of LangMem: items of a LangGraph store, as `Item.dict()` gives them.

LangMem's store manager writes `{"kind": …, "content": {…}}`, its tools write `{"content": …}`. Other items of the store
are no memories.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from aforesaid.interop.chat_import import parsing
from aforesaid.interop.chat_import.exports import (
    ExportedChat,
    ExportedMessage,
    ExportItem,
    SkippedItems,
    SkipReason,
    SourceFile,
)
from aforesaid.models.json import Json

Record = Mapping[str, Json]

ITEM = {"namespace": list, "key": str, "value": dict}  # of a LangGraph store


def knows(record: Record) -> bool:
    return any(parsing.matches_fields(item, ITEM) for item in _items(record))


def chats(elements: Iterator[Json], _file: SourceFile) -> Iterator[ExportItem]:
    """Each memory is a message of its own in the conversation of its namespace."""
    for element in elements:
        for item in _items(element):
            yield _memory(item) if parsing.matches_fields(item, ITEM) else SkippedItems(SkipReason.UNKNOWN)


def _items(element: Json) -> list[Json]:
    """The items of an answer of a LangGraph server, or one item."""
    listed = parsing.as_object(element).get("items")
    return listed if isinstance(listed, list) else [element]


def _memory(item: Record) -> ExportItem:
    value, namespace = item["value"], "/".join(map(str, item["namespace"]))
    if "content" not in value:
        return SkippedItems(SkipReason.NO_MEMORY)
    text = _text(value["content"])
    if not text.strip():
        return SkippedItems(SkipReason.NO_TEXT)
    metadata = {"namespace": namespace, "kind": value.get("kind"), "created_at": item.get("created_at")}
    at = parsing.parse_time(item.get("updated_at")) or parsing.parse_time(item.get("created_at"))
    note = ExportedMessage(
        "assistant",
        text,
        parsing.stable_id("langmem", *item["namespace"], item["key"]),
        at,
        name="langmem",
        metadata={name: value for name, value in metadata.items() if isinstance(value, str)},
    )
    place = parsing.valid_id(f"langmem:{namespace}") or "langmem"
    return ExportedChat(place, "langmem", [note], "LangMem", at, kind="memories")


def _text(content: Json) -> str:
    """The text of a memory; of a schema of the user's, its fields: `category: food; preference: no peanuts`."""
    if isinstance(content, dict):
        if content.keys() == {"content"} and isinstance(content["content"], str):
            return str(content["content"])
        fields = ((name, parsing.result_text(value) if value is not None else "") for name, value in content.items())
        return "; ".join(f"{name}: {text}" for name, text in fields if text)
    return "" if content is None else parsing.result_text(content)
