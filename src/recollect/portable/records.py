"""Stored values as JSON records that people can read, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta, timezone

from recollect.errors import InvalidInput
from recollect.ingest.append import work_for
from recollect.models import (
    CHUNK_KINDS,
    CONVERSATION_STATES,
    PIN_TYPES,
    ROLES,
    SUMMARY_KINDS,
    SUMMARY_METHODS,
    Access,
    ConversationInfo,
    Json,
    Pin,
    Summary,
    SummaryStatus,
    text_of,
)
from recollect.portable.distilled import of_sources
from recollect.portable.fields import moment_or_none, needed, text_or_none, texts, written
from recollect.records import ChunkDraft, MessageDraft, Sources
from recollect.text import accept

Record = dict[str, Json]
ENDED: tuple[SummaryStatus, ...] = ("completed", "failed")

MESSAGE = (
    "id", "seq", "role", "content", "name", "tool_calls", "tool_call_id", "model", "importance", "tokens",
    "created_at", "metadata",
)  # fmt: skip


def of_conversation(info: ConversationInfo) -> Record:
    record = asdict(info)
    del record["space"]
    return written(record)


def of_message(conversation: str, draft: MessageDraft) -> Record:
    own = draft.created_at.astimezone(timezone(timedelta(seconds=draft.utc_offset)))
    return written(
        {"conversation": conversation} | {name: getattr(draft, name) for name in MESSAGE} | {"created_at": own}
    )


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
    return written({"conversation": conversation} | asdict(pin))


def of_summary(summary: Summary, sources: Sources) -> Record:
    record = asdict(summary)
    del record["space"]
    return written(record) | {"sources": of_sources(sources)}


def of_access(access: Access) -> Record:
    return {"message": access.message_id, "count": access.count, "last_at": access.last_at.isoformat()}


def to_conversation(space: str, record: Mapping[str, Json]) -> ConversationInfo:
    """A conversation without messages yet: its counts grow with them."""
    return ConversationInfo(
        id=accept.new_name(needed(record, "id"), "id"),
        space=space,
        status=accept.choice(needed(record, "status"), CONVERSATION_STATES, "status"),
        title=text_or_none(record, "title"),
        outcome=text_or_none(record, "outcome"),
        model=text_or_none(record, "model"),
        messages=0,
        turns=0,
        tokens=0,
        created_at=accept.moment(needed(record, "created_at"), "created_at"),
        updated_at=accept.moment(needed(record, "updated_at"), "updated_at"),
        ended_at=moment_or_none(record, "ended_at"),
        metadata=accept.record(record.get("metadata"), "metadata"),
        muted=record.get("muted") is True,
    )


def to_message(record: Mapping[str, Json], chunks: Sequence[Mapping[str, Json]]) -> MessageDraft:
    """A draft with the record's own id, seq, time and chunks; its terms are still to be made."""
    content = needed(record, "content")
    content = accept.text(content, "content") if isinstance(content, str) else accept.parts(content, "content")
    role = accept.choice(needed(record, "role"), ROLES, "role")
    calls = record.get("tool_calls")
    text = text_of(content)
    return MessageDraft(
        id=accept.new_name(needed(record, "id"), "id"),
        role=role,
        content=content,
        text=text,
        name=text_or_none(record, "name"),
        tool_calls=None if calls is None else accept.records(calls, "tool_calls"),
        tool_call_id=text_or_none(record, "tool_call_id"),
        model=text_or_none(record, "model"),
        importance=accept.share(needed(record, "importance"), "importance"),
        tokens=accept.count(needed(record, "tokens"), "tokens", 0),
        created_at=accept.moment(needed(record, "created_at"), "created_at"),
        metadata=accept.record(record.get("metadata"), "metadata"),
        chunks=_to_chunks(chunks, len(text)),
        indexed=role != "system",
        utc_offset=accept.offset(needed(record, "created_at")),
        jobs=work_for(role, text) if chunks else (),
        seq=accept.count(needed(record, "seq"), "seq", 0),
    )


def to_pin(record: Mapping[str, Json]) -> Pin:
    return Pin(
        accept.new_name(needed(record, "id"), "id"),
        accept.words(needed(record, "content"), "content"),
        accept.share(needed(record, "importance"), "importance"),
        accept.choice(needed(record, "type"), PIN_TYPES, "a pin's type"),
        text_or_none(record, "source_message_id"),
        accept.moment(needed(record, "created_at"), "created_at"),
        text_or_none(record, "reason"),
    )


def to_summary(space: str, record: Mapping[str, Json]) -> Summary:
    status = accept.choice(needed(record, "status"), ENDED, "a summary's status")
    first, method = accept.count(needed(record, "first_seq"), "first_seq", 0), record.get("method")
    taken = record.get("milliseconds")
    return Summary(
        id=accept.new_name(needed(record, "id"), "id"),
        space=space,
        conversation=accept.name(needed(record, "conversation"), "conversation"),
        kind=accept.choice(needed(record, "kind"), SUMMARY_KINDS, "a summary's kind"),
        first_seq=first,
        last_seq=accept.count(needed(record, "last_seq"), "last_seq", first),
        message_count=accept.count(needed(record, "message_count"), "message_count"),
        text=(accept.words if status == "completed" else accept.text)(needed(record, "text"), "text"),
        topics=texts(needed(record, "topics"), "topics"),
        importance=accept.share(needed(record, "importance"), "importance"),
        base_id=text_or_none(record, "base_id"),
        status=status,
        method=None if method is None else accept.choice(method, SUMMARY_METHODS, "a summary's method"),
        model=text_or_none(record, "model"),
        tokens=accept.count(needed(record, "tokens"), "tokens", 0),
        milliseconds=None if taken is None else accept.amount(taken, "milliseconds"),
        error=text_or_none(record, "error"),
        created_at=accept.moment(needed(record, "created_at"), "created_at"),
        replaced_by=text_or_none(record, "replaced_by"),
    )


def to_access(record: Mapping[str, Json]) -> Access:
    return Access(
        accept.name(needed(record, "message"), "message"),
        accept.count(needed(record, "count"), "count"),
        accept.moment(needed(record, "last_at"), "last_at"),
    )


def _to_chunks(found: Sequence[Mapping[str, Json]], length: int) -> tuple[ChunkDraft, ...]:
    chunks = tuple(_to_chunk(record) for record in found)
    edges = [0, *(chunk.stop for chunk in chunks)]
    if [chunk.start for chunk in chunks] != edges[:-1] or edges[-1] != length:
        raise InvalidInput("the chunks of a message, put together, are not its text")
    return chunks


def _to_chunk(record: Mapping[str, Json]) -> ChunkDraft:
    return ChunkDraft(
        accept.choice(needed(record, "kind"), CHUNK_KINDS, "a chunk's kind"),
        text_or_none(record, "language"),
        accept.count(needed(record, "start"), "start", 0),
        accept.count(needed(record, "stop"), "stop", 1),
        accept.count(needed(record, "tokens"), "tokens", 0),
        (),
    )
