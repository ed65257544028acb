"""Rows as values, values as columns: the same for every store."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any

from recollect.ids import EPOCH, microseconds
from recollect.models import Chunk, ConversationInfo, Job, Json, Message, Pin
from recollect.records import ChunkDraft, MessageDraft, Utterance

Row = tuple[Any, ...]


def moment(microseconds: int) -> datetime:
    return EPOCH + timedelta(microseconds=microseconds)


def moment_or_none(microseconds: int | None) -> datetime | None:
    return None if microseconds is None else moment(microseconds)


def json_or_none(value: Json) -> str | None:
    """Compact JSON for what is not empty."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else None


def message(space: str, row: Row) -> Message:
    """From: id, conversation, seq, role, text, parts, name, tool_calls, tool_call_id, model, importance, tokens,
    metadata, created_at, …"""
    return Message(
        id=row[0],
        space=space,
        conversation=row[1],
        seq=row[2],
        role=row[3],
        content=row[4] if row[5] is None else json.loads(row[5]),
        name=row[6],
        tool_calls=None if row[7] is None else json.loads(row[7]),
        tool_call_id=row[8],
        model=row[9],
        importance=row[10],
        tokens=row[11],
        created_at=moment(row[13]),
        metadata={} if row[12] is None else json.loads(row[12]),
    )


def stored(space: str, conversation: str, seq: int, draft: MessageDraft) -> Message:
    """The message that a draft becomes."""
    return Message(
        id=draft.id,
        space=space,
        conversation=conversation,
        seq=seq,
        role=draft.role,
        content=draft.content,
        name=draft.name,
        tool_calls=draft.tool_calls,
        tool_call_id=draft.tool_call_id,
        model=draft.model,
        importance=draft.importance,
        tokens=draft.tokens,
        created_at=draft.created_at,
        metadata=draft.metadata,
    )


def same(old: Message, conversation: str, draft: MessageDraft) -> bool:
    """Whether a stored message says what the draft says, in the same conversation."""
    return (old.conversation, old.role, old.content, old.name, old.tool_calls, old.tool_call_id) == (
        conversation,
        draft.role,
        draft.content,
        draft.name,
        draft.tool_calls,
        draft.tool_call_id,
    )


def chunk(message_id: str, text: str, row: Row) -> Chunk:
    """From: chunk_key or message_key, part, kind, language, start, stop, tokens, …"""
    _, part, kind, language, start, stop, tokens = row[:7]
    return Chunk(f"{message_id}#{part}", message_id, part, kind, language, text[start:stop], tokens)


def chunk_draft(row: Row, terms: tuple[str, ...]) -> ChunkDraft:
    """From: chunk_key, part, kind, language, start, stop, tokens, …"""
    _, _, kind, language, start, stop, tokens = row[:7]
    return ChunkDraft(kind, language, start, stop, tokens, terms)


def pin(row: Row) -> Pin:
    return Pin(row[0], row[1], row[2], row[3], row[4], moment(row[5]), row[6])


def conversation(row: Row) -> ConversationInfo:
    id, space, status, title, outcome, model, messages, turns, tokens, created, updated, ended, metadata, muted = row
    return ConversationInfo(
        id, space, status, title, outcome, model, messages, turns, tokens,
        moment(created), moment(updated), moment_or_none(ended), json.loads(metadata or "{}"), bool(muted),
    )  # fmt: skip


def job(row: Row) -> Job:
    id, kind, space, message_id, state, attempts, error, milliseconds, created, due, worker, conversation = row
    created, due = moment(created), moment(due)
    return Job(id, kind, space, message_id, state, attempts, error, milliseconds, created, due, worker, conversation)


def utterance(row: Row) -> Utterance:
    """From: id, seq, role, name, text, created_at, utc_offset, model, tokens."""
    id, seq, role, name, text, created, offset, model, tokens = row
    at = moment(created).astimezone(timezone(timedelta(seconds=offset)))
    return Utterance(id, seq, role, name or role, text, at, model, tokens)


def fresh_conversation(space: str, conversation: str, model: str | None, at: datetime) -> ConversationInfo:
    """A conversation as it starts."""
    return ConversationInfo(conversation, space, "active", None, None, model, 0, 0, 0, at, at, None, {})


def columns(draft: MessageDraft) -> dict[str, Json]:
    """A draft's own columns in the table of messages."""
    return {
        "id": draft.id,
        "role": draft.role,
        "text": draft.text,
        "parts": None if isinstance(draft.content, str) else json.dumps(draft.content, ensure_ascii=False),
        "name": draft.name,
        "tool_calls": json_or_none(draft.tool_calls),
        "tool_call_id": draft.tool_call_id,
        "model": draft.model,
        "importance": draft.importance,
        "tokens": draft.tokens,
        "metadata": json_or_none(draft.metadata),
        "created_at": microseconds(draft.created_at),
        "utc_offset": draft.utc_offset,
    }


def draft(space: str, row: Row, chunks: tuple[ChunkDraft, ...]) -> MessageDraft:
    """A stored message as the draft that puts it back. From: what `message` takes, … (17) utc_offset."""
    old = message(space, row)
    return MessageDraft(
        id=old.id,
        role=old.role,
        content=old.content,
        text=row[4],
        name=old.name,
        tool_calls=old.tool_calls,
        tool_call_id=old.tool_call_id,
        model=old.model,
        importance=old.importance,
        tokens=old.tokens,
        created_at=old.created_at,
        metadata=old.metadata,
        chunks=chunks,
        indexed=old.role != "system",
        utc_offset=row[17],
        seq=old.seq,
    )
