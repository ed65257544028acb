"""Parses memories of mem0: the result of `get_all`, or its list of results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from aforesaid.interop.chat_import.exported_chat import (
    NO_TEXT,
    UNKNOWN,
    ExportedChat,
    ExportedMessage,
    ExportItem,
    SkippedItems,
    parse_time,
    stable_id,
    valid_id,
)
from aforesaid.models.json import Json

NOTES = "mem0"  # the conversation that its memories are kept in
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


def chats(elements: Iterator[Json], _file: str) -> Iterator[ExportItem]:
    """Every memory is a message of its own, by nobody in the conversation: mem0's reading of what somebody said."""
    for element in elements:
        page = element.get("results") if isinstance(element, dict) else None
        for found in map(_parse_memory, page if isinstance(page, list) else [element]):
            yield (
                found
                if isinstance(found, SkippedItems)
                else ExportedChat(NOTES, "mem0", [found], "mem0", found.at, kind="memories")
            )


def _parse_memory(record: Json) -> ExportedMessage | SkippedItems:
    if not isinstance(record, dict) or not isinstance(record.get("memory"), str):
        return SkippedItems(UNKNOWN)
    text = record["memory"]
    if not text.strip():
        return SkippedItems(NO_TEXT)
    own: Mapping[str, Json] = {name: record[name] for name in METADATA_FIELDS if isinstance(record.get(name), str)}
    id = valid_id(record.get("id")) or stable_id("mem0", text)
    return ExportedMessage("assistant", text, id, parse_time(record.get("created_at")), name="mem0", metadata=own)
