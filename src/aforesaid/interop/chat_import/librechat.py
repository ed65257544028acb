"""Parses the conversations that LibreChat exports as JSON, as a list or as a tree: the newest branch of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

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

TREE = parsing.TreeFields("messageId", "parentMessageId", "createdAt", "00000000-0000-0000-0000-000000000000")
MESSAGE_LISTS = ("messages", "messagesTree")
FILE_FIELDS = ("filename", "type", "bytes", "file_id")


def knows(record: Record) -> bool:
    fields = {"messageId": str, "isCreatedByUser": bool}
    return any(
        parsing.matches_fields(message, fields)
        for name in MESSAGE_LISTS
        for message in parsing.as_list(record.get(name))
    )


def chats(elements: Iterator[Json], file: SourceFile) -> Iterator[ExportItem]:
    for number, element in enumerate(elements, 1):
        listed = [element.get(name) for name in MESSAGE_LISTS] if isinstance(element, dict) else []
        roots = next((messages for messages in listed if isinstance(messages, list)), None)
        if roots is None:
            yield SkippedItems(SkipReason.UNKNOWN)
        else:
            yield from _chat(element, roots, f"librechat:{file.stem}:{number}")


def _chat(record: Record, roots: Sequence[Json], default_id: str) -> Iterator[ExportItem]:
    messages = list(_flatten(roots))
    path = parsing.newest_messages(messages, TREE)
    skipped: Counter[str] = Counter({SkipReason.OTHER_BRANCH: len(messages) - len(path)})
    parsed = [message for each in path for message in _messages(each, skipped)]
    yield from SkippedItems.from_counts(skipped)
    id = parsing.valid_id(record.get("conversationId")) or default_id
    yield ExportedChat(id, "librechat", parsed, parsing.valid_title(record.get("title")))


def _flatten(roots: Sequence[Json]) -> Iterator[Record]:
    """The messages of a tree, each before its answers."""
    waiting = list(reversed(roots))
    while waiting:
        message = waiting.pop()
        if isinstance(message, dict):
            yield message
            waiting += reversed(parsing.as_list(message.get("children")))


def _messages(message: Record, skipped: Counter[str]) -> Iterator[ExportedMessage]:
    """The message, and the results of its tools after it."""
    if message.get("error") is True or not isinstance(message.get("isCreatedByUser"), bool):
        skipped[SkipReason.PROGRAM] += 1
        return
    role = "user" if message["isCreatedByUser"] else "assistant"
    id, at = parsing.valid_id(message.get("messageId")), parsing.parse_time(message.get("createdAt"))
    parts = [part for part in parsing.as_list(message.get("content")) if isinstance(part, dict)]
    calls = [call for part in parts if (call := parsing.as_object(part.get("tool_call")))]
    skipped[SkipReason.THOUGHTS] += sum(part.get("type") == "think" for part in parts)
    files = parsing.pick_fields(parsing.as_list(message.get("files")), FILE_FIELDS)
    skipped[SkipReason.ATTACHMENTS] += len(files)
    model = {"model": message["model"]} if isinstance(message.get("model"), str) else {}
    said = ExportedMessage(
        role,
        _text(message.get("text"), parts),
        id,
        at,
        tool_calls=[parsing.tool_call(call.get("id"), call.get("name"), call.get("args")) for call in calls] or None,
        metadata={**model, "attachments": files} if files else model,
    )
    if said.is_empty:
        skipped[SkipReason.NO_TEXT] += 1
        return
    yield said
    for place, call in enumerate(calls):
        result, call_id = parsing.result_text(call.get("output")), parsing.valid_id(call.get("id"))
        if result and call_id:
            yield ExportedMessage("tool", result, parsing.stable_id(id, place, call_id), at, tool_call_id=call_id)


def _text(text: Json, parts: Sequence[Record]) -> str:
    """The text of a message, or the texts of its parts."""
    if isinstance(text, str) and text.strip():
        return text
    values = (
        parsing.as_object(part["text"]).get("value", part["text"])
        for part in parts
        if part.get("type") == "text" and "text" in part
    )
    return "\n\n".join(value for value in values if isinstance(value, str) and value.strip())
