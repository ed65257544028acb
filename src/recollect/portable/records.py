"""Stored values as JSON records that people can read, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

from recollect.errors import InvalidInput
from recollect.models import ChunkDraft, ConversationInfo, Json, MessageDraft, Pin, text_of
from recollect.text import accept

Record = dict[str, Json]

MESSAGE = (
    "id", "seq", "role", "content", "name", "tool_calls", "tool_call_id", "model", "importance", "tokens",
    "created_at", "metadata",
)  # fmt: skip


def of_conversation(info: ConversationInfo) -> Record:
    record = asdict(info)
    del record["space"]
    return _written(record)


def of_message(conversation: str, draft: MessageDraft) -> Record:
    return _written({"conversation": conversation} | {name: getattr(draft, name) for name in MESSAGE})


def of_chunk(message: str, part: int, draft: ChunkDraft) -> Record:
    return {
        "message": message,
        "index": part,
        "kind": draft.kind,
        "language": draft.language,
        "start": draft.start,
        "stop": draft.stop,
        "tokens": draft.tokens,
    }


def of_pin(conversation: str, pin: Pin) -> Record:
    return _written({"conversation": conversation} | asdict(pin))


def to_conversation(space: str, record: Mapping[str, Json]) -> ConversationInfo:
    """A conversation without messages yet: its counts grow with them."""
    return ConversationInfo(
        id=accept.name(_needed(record, "id"), "id"),
        space=space,
        status=_needed(record, "status"),
        title=record.get("title"),
        outcome=record.get("outcome"),
        model=record.get("model"),
        messages=0,
        turns=0,
        tokens=0,
        created_at=accept.moment(_needed(record, "created_at"), "created_at"),
        updated_at=accept.moment(_needed(record, "updated_at"), "updated_at"),
        ended_at=_moment_or_none(record.get("ended_at")),
        metadata=accept.record(record.get("metadata"), "metadata"),
    )


def to_message(record: Mapping[str, Json], chunks: Sequence[Mapping[str, Json]]) -> MessageDraft:
    """A draft with the record's own id, seq, time and chunks; its terms are still to be made."""
    content = _needed(record, "content")
    content = accept.text(content, "content") if isinstance(content, str) else accept.records(content, "content")
    role = _needed(record, "role")
    return MessageDraft(
        id=accept.name(_needed(record, "id"), "id"),
        role=role,
        content=content,
        text=text_of(content),
        name=record.get("name"),
        tool_calls=record.get("tool_calls"),
        tool_call_id=record.get("tool_call_id"),
        model=record.get("model"),
        importance=accept.share(_needed(record, "importance"), "importance"),
        tokens=accept.count(_needed(record, "tokens"), "tokens", 0),
        created_at=accept.moment(_needed(record, "created_at"), "created_at"),
        metadata=accept.record(record.get("metadata"), "metadata"),
        chunks=tuple(_to_chunk(chunk) for chunk in chunks),
        indexed=role != "system",
        jobs=("embed",) if role != "system" and chunks else (),
        seq=accept.count(_needed(record, "seq"), "seq", 0),
    )


def to_pin(record: Mapping[str, Json]) -> Pin:
    return Pin(
        accept.name(_needed(record, "id"), "id"),
        accept.words(_needed(record, "content"), "content"),
        accept.share(_needed(record, "importance"), "importance"),
        _needed(record, "type"),
        record.get("source_message_id"),
        accept.moment(_needed(record, "created_at"), "created_at"),
    )


def _to_chunk(record: Mapping[str, Json]) -> ChunkDraft:
    return ChunkDraft(
        _needed(record, "kind"),
        record.get("language"),
        accept.count(_needed(record, "start"), "start", 0),
        accept.count(_needed(record, "stop"), "stop", 1),
        accept.count(_needed(record, "tokens"), "tokens", 0),
        (),
    )


def _needed(record: Mapping[str, Json], name: str) -> Json:
    if name not in record:
        raise InvalidInput(f"a record has no {name!r}")
    return record[name]


def _moment_or_none(value: Json) -> datetime | None:
    return None if value is None else accept.moment(value, "ended_at")


def _written(record: Mapping[str, Json]) -> Record:
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in record.items()}
