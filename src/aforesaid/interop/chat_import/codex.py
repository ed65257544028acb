"""Parses the sessions of Codex: `~/.codex/sessions/<date>/rollout-<time>-<id>.jsonl`.

Instructions, the environment, summaries of a compaction and the talk of subagents do not become words of the user.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest

from aforesaid.interop.chat_import import parsing
from aforesaid.interop.chat_import.api_messages import response_item
from aforesaid.interop.chat_import.exports import ExportedMessage, ExportItem, SkippedItems, SkipReason, SourceFile
from aforesaid.interop.chat_import.session_batches import SessionBatches, typed_content
from aforesaid.models.json import Json

Record = Mapping[str, Json]

LINE = {"timestamp": str, "type": str, "payload": dict}
FIRST_OLD_LINE = {"id": str, "timestamp": str}  # with `instructions`; its items are not in a payload
ITEMS = ("message", "function_call", "function_call_output", "reasoning", "local_shell_call")


def knows(record: Record) -> bool:
    return parsing.matches_fields(record, LINE) or _is_old_head(record)


def _is_old_head(record: Record) -> bool:
    return parsing.matches_fields(record, FIRST_OLD_LINE) and "instructions" in record


def chats(elements: Iterator[Json], file: SourceFile) -> Iterator[ExportItem]:
    """Each file is a session, and a conversation."""
    session = SessionBatches("codex", file.stem)
    subagent: bool | None = None  # unknown until the first line about the session
    for element in elements:
        if not isinstance(element, dict):
            yield SkippedItems(SkipReason.UNKNOWN)
            continue
        kind, payload = element.get("type"), parsing.as_object(element.get("payload"))
        head = payload if kind == "session_meta" else element if _is_old_head(element) else None
        item = payload if kind == "response_item" else element if kind in ITEMS and not payload else None
        if head is not None:
            if subagent is None:
                _note_session(session, head)
                subagent = _is_subagent(head)
        elif kind == "compacted":
            session.skipped[SkipReason.SUMMARY] += 1
        elif item is not None:
            yield from session.add(_messages(item, element, session, subagent=subagent is True))
        elif not knows(element) and "record_type" not in element:
            yield SkippedItems(SkipReason.UNKNOWN)
    yield from session.flush()


def _note_session(session: SessionBatches, head: Record) -> None:
    session.id = parsing.valid_id(head.get("id")) or session.id
    session.begun = parsing.parse_time(head.get("timestamp"))
    if isinstance(head.get("cwd"), str):
        session.metadata["project"] = head["cwd"]


def _is_subagent(head: Record) -> bool:
    return "subagent" in parsing.as_object(head.get("source")) or head.get("thread_source") == "subagent"


def _messages(item: Record, line: Record, session: SessionBatches, *, subagent: bool) -> list[ExportedMessage]:
    parsed = _said(item) if item.get("type") == "message" else response_item(item) or SkipReason.UNKNOWN_TYPE
    if isinstance(parsed, str):
        session.skipped[SkipReason.SUBAGENT if subagent else parsed] += 1
        return []
    if subagent:
        session.skipped[SkipReason.SUBAGENT] += 1
        return []
    time = line.get("timestamp")
    words = [parsed.role, parsed.content, parsed.tool_calls, parsed.tool_call_id]
    id = parsing.stable_id(session.id, time, line.get("ordinal"), words) if isinstance(time, str) else None
    return [replace(parsed, id=id, at=parsing.parse_time(time))]


def _said(item: Record) -> ExportedMessage | str:
    """The message, or the reason to leave it out. Newer versions say who wrote each part of a content."""
    more = parsing.as_object(item.get("internal_chat_message_metadata_passthrough"))
    authors = parsing.as_list(more.get("content_item_metadata"))
    texts = [
        part["text"]
        for part, author in zip_longest(parsing.as_list(item.get("content")), authors)
        if parsing.matches_fields(part, {"text": str}) and not _is_program(author)
    ]
    if item.get("role") == "assistant":
        text = "\n\n".join(texts)
        return ExportedMessage("assistant", text) if text.strip() else SkipReason.NO_TEXT
    content = typed_content(texts) if item.get("role") == "user" else None
    return SkipReason.PROGRAM if content is None else ExportedMessage("user", content)


def _is_program(author: Json) -> bool:
    kind = parsing.as_object(parsing.as_object(author).get("provenance")).get("type")
    return isinstance(kind, str) and kind != "user"
