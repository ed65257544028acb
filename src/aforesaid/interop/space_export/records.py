"""Conversations, messages, pins, summaries and accesses as JSON records, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta, timezone

from aforesaid.errors import InvalidInput
from aforesaid.ingest.draft import jobs_for
from aforesaid.interop.space_export.codec import Check, JsonRecord, decode, one_of, required, required_name, texts
from aforesaid.models.conversation import ConversationInfo
from aforesaid.models.feedback import Feedback
from aforesaid.models.item import Item
from aforesaid.models.json import Json
from aforesaid.models.message import ChunkDraft, Content, MessageDraft, text_of
from aforesaid.models.pin import Pin
from aforesaid.models.retrieval import Access
from aforesaid.models.summary import Summary
from aforesaid.text import validate

MESSAGE_FIELDS = (
    "id", "seq", "role", "content", "name", "tool_calls", "tool_call_id", "model", "importance", "tokens",
    "created_at", "metadata", "expires_at",
)  # fmt: skip
SUMMARY_CHECKS: Mapping[str, Check] = {
    "id": validate.new_name,
    "conversation": validate.name,
    "status": one_of("completed", "failed"),
    "message_count": validate.count,
    "milliseconds": validate.amount,
}


def encode_message(conversation: str, draft: MessageDraft) -> dict[str, Json]:
    local_time = draft.created_at.astimezone(timezone(timedelta(seconds=draft.utc_offset)))
    fields = {name: getattr(draft, name) for name in MESSAGE_FIELDS}
    raw = {} if draft.raw is None else {"raw": draft.raw}  # an export without any has the bytes that it had before
    return {"conversation": conversation} | fields | {"created_at": local_time} | raw


def decode_conversation(space: str, record: JsonRecord) -> ConversationInfo:
    """A conversation without messages: its counts grow with them."""
    return decode(
        ConversationInfo,
        record,
        {"id": validate.new_name},
        space=space,
        messages=0,
        turns=0,
        tokens=0,
        metadata=validate.record(record.get("metadata"), "metadata"),
        muted=record.get("muted") is True,
    )


def decode_message(record: JsonRecord, chunks: Sequence[JsonRecord]) -> tuple[str, MessageDraft]:
    """The conversation, and a draft with the id, seq, time and chunks of the record, but without index terms."""
    draft = decode(
        MessageDraft,
        record,
        {"id": validate.new_name, "content": _content, "raw": validate.json_text},
        text="",
        metadata=validate.record(record.get("metadata"), "metadata"),
        chunks=(),
        named=True,
        indexed=True,
        utc_offset=0,
        jobs=(),
        seq=validate.count(required(record, "seq"), "seq", 0),
    )
    text = text_of(draft.content)
    return required_name(record, "conversation"), replace(
        draft,
        text=text,
        chunks=_decode_chunks(chunks, len(text)),
        indexed=draft.role != "system",
        utc_offset=validate.offset(record["created_at"]),
        jobs=jobs_for(draft.role, text) if chunks else (),
    )


def _content(value: Json, name: str) -> Content:
    return validate.text(value, name) if isinstance(value, str) else validate.parts(value, name)


def decode_pin(record: JsonRecord) -> tuple[str, Pin]:
    """The conversation, and the pin."""
    pin = decode(Pin, record, {"id": validate.new_name, "content": validate.non_blank})
    return required_name(record, "conversation"), pin


def decode_summary(space: str, record: JsonRecord) -> Summary:
    summary = decode(Summary, record, SUMMARY_CHECKS, space=space)
    validate.count(summary.last_seq, "last_seq", summary.first_seq)
    if summary.status == "completed":
        validate.non_blank(summary.text, "text")
    return summary


def decode_access(record: JsonRecord) -> Access:
    return decode(Access, record, {"count": validate.count}, message_id=required_name(record, "message"))


def decode_item(space: str, record: JsonRecord) -> Item:
    checks: Mapping[str, Check] = {"key": validate.new_name, "index": texts}
    place = validate.namespace(validate.sequence(required(record, "namespace"), "namespace"))
    validate.json_value(required(record, "value"), "value")
    return decode(Item, record, checks, space=space, namespace=place, value=record["value"])


def decode_feedback(record: JsonRecord) -> Feedback:
    return decode(Feedback, record, {"terms": _numbers}, message_id=required_name(record, "message"))


def _numbers(value: Json, name: str) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise InvalidInput(f"{name} must be a list, not {type(value).__name__}")
    return tuple(validate.count(number, name, 0) for number in value)


def _decode_chunks(records: Sequence[JsonRecord], length: int) -> tuple[ChunkDraft, ...]:
    chunks = tuple(decode(ChunkDraft, record, {"stop": validate.count}, terms=()) for record in records)
    edges = [0, *(chunk.stop for chunk in chunks)]
    if [chunk.start for chunk in chunks] != edges[:-1] or edges[-1] != length:
        raise InvalidInput("the chunks of a message do not add up to its text")
    return chunks
