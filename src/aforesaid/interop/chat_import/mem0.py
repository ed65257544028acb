"""Parses memories of mem0: the result of `get_all`, or its list of results."""

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

NOTES = "mem0"  # the conversation of its memories
METADATA_FIELDS = (
    "user_id",
    "agent_id",
    "run_id",
    "actor_id",
    "role",
    "attributed_to",
    "expiration_date",
    "updated_at",
)


def knows(record: Mapping[str, Json]) -> bool:
    results = record.get("results")
    return any(map(_is_memory, results)) if isinstance(results, list) else _is_memory(record)


def _is_memory(record: Json) -> bool:
    others = {"id", "hash", "created_at", "user_id"}
    return isinstance(record, dict) and isinstance(record.get("memory"), str) and bool(others & record.keys())


def chats(elements: Iterator[Json], _file: SourceFile) -> Iterator[ExportItem]:
    """Each memory is a message of its own: a note of mem0, not a message of the user."""
    for element in elements:
        page = element.get("results") if isinstance(element, dict) else None
        for memory in map(_parse_memory, page if isinstance(page, list) else [element]):
            if isinstance(memory, SkippedItems):
                yield memory
            else:
                yield ExportedChat(NOTES, "mem0", [memory], "mem0", memory.at, kind="memories")


def _parse_memory(record: Json) -> ExportedMessage | SkippedItems:
    if not isinstance(record, dict) or not isinstance(record.get("memory"), str):
        return SkippedItems(SkipReason.UNKNOWN)
    text = record["memory"]
    if not text.strip():
        return SkippedItems(SkipReason.NO_TEXT)
    given = parsing.as_object(record.get("metadata"))
    metadata = {name: value for name, value in given.items() if isinstance(value, str | int | float)}
    metadata |= {name: record[name] for name in METADATA_FIELDS if isinstance(record.get(name), str)}
    id = parsing.valid_id(record.get("id")) or parsing.stable_id("mem0", text)
    at, last_day = parsing.parse_time(record.get("created_at")), record.get("expiration_date")
    expires = last_day if isinstance(last_day, str) else None
    return ExportedMessage("assistant", text, id, at, name="mem0", metadata=metadata, expires=expires)
