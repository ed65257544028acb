"""Conversations, messages, pins, summaries and accesses as JSON records, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta, timezone

from aforesaid.errors import InvalidInput
from aforesaid.ingest.draft import jobs_for
from aforesaid.interop.space_export.distilled import of_sources
from aforesaid.interop.space_export.fields import required, text_or_none, texts, time_or_none, to_json_values
from aforesaid.models.conversation import CONVERSATION_STATES, ConversationInfo
from aforesaid.models.json import Json
from aforesaid.models.message import CHUNK_KINDS, ROLES, ChunkDraft, MessageDraft, text_of
from aforesaid.models.pin import PIN_TYPES, Pin
from aforesaid.models.retrieval import Access
from aforesaid.models.summary import SUMMARY_KINDS, SUMMARY_METHODS, Summary, SummaryStatus
from aforesaid.models.transfer import SourceIds
from aforesaid.text import validate

Record = dict[str, Json]
FINAL_STATUSES: tuple[SummaryStatus, ...] = ("completed", "failed")

MESSAGE_FIELDS = (
    "id", "seq", "role", "content", "name", "tool_calls", "tool_call_id", "model", "importance", "tokens",
    "created_at", "metadata",
)  # fmt: skip


def of_conversation(info: ConversationInfo) -> Record:
    record = asdict(info)
    del record["space"]
    return to_json_values(record)


def of_message(conversation: str, draft: MessageDraft) -> Record:
    own = draft.created_at.astimezone(timezone(timedelta(seconds=draft.utc_offset)))
    return to_json_values(
        {"conversation": conversation} | {name: getattr(draft, name) for name in MESSAGE_FIELDS} | {"created_at": own}
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
    return to_json_values({"conversation": conversation} | asdict(pin))


def of_summary(summary: Summary, sources: SourceIds) -> Record:
    record = asdict(summary)
    del record["space"]
    return to_json_values(record) | {"sources": of_sources(sources)}


def of_access(access: Access) -> Record:
    return {"message": access.message_id, "count": access.count, "last_at": access.last_at.isoformat()}


def to_conversation(space: str, record: Mapping[str, Json]) -> ConversationInfo:
    """A conversation without messages yet: its counts grow with them."""
    return ConversationInfo(
        id=validate.new_name(required(record, "id"), "id"),
        space=space,
        status=validate.choice(required(record, "status"), CONVERSATION_STATES, "status"),
        title=text_or_none(record, "title"),
        outcome=text_or_none(record, "outcome"),
        model=text_or_none(record, "model"),
        messages=0,
        turns=0,
        tokens=0,
        created_at=validate.moment(required(record, "created_at"), "created_at"),
        updated_at=validate.moment(required(record, "updated_at"), "updated_at"),
        ended_at=time_or_none(record, "ended_at"),
        metadata=validate.record(record.get("metadata"), "metadata"),
        muted=record.get("muted") is True,
    )


def to_message(record: Mapping[str, Json], chunks: Sequence[Mapping[str, Json]]) -> MessageDraft:
    """A draft with the record's own id, seq, time and chunks; its terms are still to be made."""
    content = required(record, "content")
    content = validate.text(content, "content") if isinstance(content, str) else validate.parts(content, "content")
    role = validate.choice(required(record, "role"), ROLES, "role")
    calls = record.get("tool_calls")
    text = text_of(content)
    return MessageDraft(
        id=validate.new_name(required(record, "id"), "id"),
        role=role,
        content=content,
        text=text,
        name=text_or_none(record, "name"),
        tool_calls=None if calls is None else validate.records(calls, "tool_calls"),
        tool_call_id=text_or_none(record, "tool_call_id"),
        model=text_or_none(record, "model"),
        importance=validate.share(required(record, "importance"), "importance"),
        tokens=validate.count(required(record, "tokens"), "tokens", 0),
        created_at=validate.moment(required(record, "created_at"), "created_at"),
        metadata=validate.record(record.get("metadata"), "metadata"),
        chunks=_to_chunks(chunks, len(text)),
        indexed=role != "system",
        utc_offset=validate.offset(required(record, "created_at")),
        jobs=jobs_for(role, text) if chunks else (),
        seq=validate.count(required(record, "seq"), "seq", 0),
    )


def to_pin(record: Mapping[str, Json]) -> Pin:
    return Pin(
        validate.new_name(required(record, "id"), "id"),
        validate.non_blank(required(record, "content"), "content"),
        validate.share(required(record, "importance"), "importance"),
        validate.choice(required(record, "type"), PIN_TYPES, "a pin's type"),
        text_or_none(record, "source_message_id"),
        validate.moment(required(record, "created_at"), "created_at"),
        text_or_none(record, "reason"),
    )


def to_summary(space: str, record: Mapping[str, Json]) -> Summary:
    status = validate.choice(required(record, "status"), FINAL_STATUSES, "a summary's status")
    first, method = validate.count(required(record, "first_seq"), "first_seq", 0), record.get("method")
    taken = record.get("milliseconds")
    return Summary(
        id=validate.new_name(required(record, "id"), "id"),
        space=space,
        conversation=validate.name(required(record, "conversation"), "conversation"),
        kind=validate.choice(required(record, "kind"), SUMMARY_KINDS, "a summary's kind"),
        first_seq=first,
        last_seq=validate.count(required(record, "last_seq"), "last_seq", first),
        message_count=validate.count(required(record, "message_count"), "message_count"),
        text=(validate.non_blank if status == "completed" else validate.text)(required(record, "text"), "text"),
        topics=texts(required(record, "topics"), "topics"),
        importance=validate.share(required(record, "importance"), "importance"),
        base_id=text_or_none(record, "base_id"),
        status=status,
        method=None if method is None else validate.choice(method, SUMMARY_METHODS, "a summary's method"),
        model=text_or_none(record, "model"),
        tokens=validate.count(required(record, "tokens"), "tokens", 0),
        milliseconds=None if taken is None else validate.amount(taken, "milliseconds"),
        error=text_or_none(record, "error"),
        created_at=validate.moment(required(record, "created_at"), "created_at"),
        replaced_by=text_or_none(record, "replaced_by"),
    )


def to_access(record: Mapping[str, Json]) -> Access:
    return Access(
        validate.name(required(record, "message"), "message"),
        validate.count(required(record, "count"), "count"),
        validate.moment(required(record, "last_at"), "last_at"),
    )


def _to_chunks(found: Sequence[Mapping[str, Json]], length: int) -> tuple[ChunkDraft, ...]:
    chunks = tuple(_to_chunk(record) for record in found)
    edges = [0, *(chunk.stop for chunk in chunks)]
    if [chunk.start for chunk in chunks] != edges[:-1] or edges[-1] != length:
        raise InvalidInput("the chunks of a message, put together, are not its text")
    return chunks


def _to_chunk(record: Mapping[str, Json]) -> ChunkDraft:
    return ChunkDraft(
        validate.choice(required(record, "kind"), CHUNK_KINDS, "a chunk's kind"),
        text_or_none(record, "language"),
        validate.count(required(record, "start"), "start", 0),
        validate.count(required(record, "stop"), "stop", 1),
        validate.count(required(record, "tokens"), "tokens", 0),
        (),
    )
