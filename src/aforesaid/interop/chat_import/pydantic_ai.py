"""Parses the messages of Pydantic AI, as `ModelMessagesTypeAdapter` writes them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime

from aforesaid.interop.chat_import import parsing
from aforesaid.interop.chat_import.exports import ExportedMessage, ExportItem, SkippedItems, SkipReason, SourceFile
from aforesaid.interop.chat_import.session_batches import SessionBatches
from aforesaid.models.json import Json

Record = Mapping[str, Json]

KINDS = ("request", "response")


def knows(record: Record) -> bool:
    parts = parsing.as_list(record.get("parts"))
    return record.get("kind") in KINDS and any("part_kind" in parsing.as_object(part) for part in parts)


def chats(elements: Iterator[Json], file: SourceFile) -> Iterator[ExportItem]:
    """Messages with a `conversation_id` are in its conversation; others are in one named after the file."""
    own = f"pydantic-ai:{file.stem}"
    session = SessionBatches("pydantic-ai", own)
    for element in elements:
        if not isinstance(element, dict) or element.get("kind") not in KINDS:
            yield SkippedItems(SkipReason.UNKNOWN)
            continue
        id = parsing.valid_id(element.get("conversation_id")) or own
        if id != session.id:
            yield from session.flush()
            session = SessionBatches("pydantic-ai", id)
        parse = _request if element["kind"] == "request" else _response
        yield from session.add(list(parse(element, session.skipped)))
    yield from session.flush()


def _request(message: Record, skipped: Counter[str]) -> Iterator[ExportedMessage]:
    for part in map(parsing.as_object, parsing.as_list(message.get("parts"))):
        kind, content, at = part.get("part_kind"), part.get("content"), _time(part, message)
        call = parsing.valid_id(part.get("tool_call_id"))
        if kind in ("user-prompt", "system-prompt"):
            text = _prompt(content, skipped)
            if text.strip():
                yield ExportedMessage("user" if kind == "user-prompt" else "system", text, at=at)
        elif kind in ("tool-return", "retry-prompt") and call is not None and part.get("tool_name"):
            text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
            yield ExportedMessage("tool", text, at=at, tool_call_id=call)
        else:
            skipped[SkipReason.PROGRAM if kind == "retry-prompt" else SkipReason.UNKNOWN_TYPE] += 1


def _response(message: Record, skipped: Counter[str]) -> Iterator[ExportedMessage]:
    parts = [parsing.as_object(part) for part in parsing.as_list(message.get("parts"))]
    texts = [
        part["content"] for part in parts if part.get("part_kind") == "text" and isinstance(part.get("content"), str)
    ]
    calls = [part for part in parts if part.get("part_kind") == "tool-call"]
    skipped[SkipReason.THOUGHTS] += sum(part.get("part_kind") == "thinking" for part in parts)
    model = {"model": message["model_name"]} if isinstance(message.get("model_name"), str) else {}
    said = ExportedMessage(
        "assistant",
        "\n\n".join(texts),
        at=_time({}, message),
        tool_calls=[parsing.tool_call(one.get("tool_call_id"), one.get("tool_name"), one.get("args")) for one in calls]
        or None,
        metadata=model,
    )
    if said.is_empty:
        skipped[SkipReason.NO_TEXT] += 1
    else:
        yield said


def _prompt(content: Json, skipped: Counter[str]) -> str:
    if isinstance(content, str):
        return content
    items = parsing.as_list(content)
    texts = [item for item in items if isinstance(item, str)]
    skipped[SkipReason.ATTACHMENTS] += len(items) - len(texts)
    return "\n\n".join(texts)


def _time(part: Record, message: Record) -> datetime | None:
    return parsing.parse_time(part.get("timestamp")) or parsing.parse_time(message.get("timestamp"))
