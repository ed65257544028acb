"""Parses the sessions of Claude Code: `~/.claude/projects/<project>/<session>.jsonl`.

What the program wrote (reminders, command output, summaries of a compaction) and the talk of subagents do not become
words of the user.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from aforesaid.interop.chat_import import parsing
from aforesaid.interop.chat_import.api_messages import split_tool_blocks
from aforesaid.interop.chat_import.exports import ExportedMessage, ExportItem, SkippedItems, SkipReason, SourceFile
from aforesaid.interop.chat_import.session_batches import SessionBatches, typed_content
from aforesaid.models.json import Json

Record = Mapping[str, Json]

ROLES = ("user", "assistant")
TITLES = {"custom-title": "customTitle", "ai-title": "aiTitle"}
SUMMARIES = ("isCompactSummary", "isVisibleInTranscriptOnly")
NOT_TYPED = ("isMeta", "isApiErrorMessage")
SKIPPED_BLOCKS = {
    "thinking": SkipReason.THOUGHTS,
    "redacted_thinking": SkipReason.THOUGHTS,
    "image": SkipReason.ATTACHMENTS,
    "document": SkipReason.ATTACHMENTS,
}
KEYS = ({"type", "sessionId"}, {"type", "leafUuid"}, {"type", "messageId", "snapshot"})


def knows(record: Record) -> bool:
    return isinstance(record.get("type"), str) and any(keys <= record.keys() for keys in KEYS)


def chats(elements: Iterator[Json], file: SourceFile) -> Iterator[ExportItem]:
    """Each session is a conversation. A resumed session keeps the ids of the messages that it repeats."""
    session = SessionBatches("claude-code", file.stem)
    for element in elements:
        if not isinstance(element, dict) or not knows(element):
            yield SkippedItems(SkipReason.UNKNOWN)
            continue
        id = parsing.valid_id(element.get("sessionId")) or session.id
        if id != session.id:
            yield from session.flush()
            session = SessionBatches("claude-code", id)
        _note_session(session, element)
        yield from session.add(list(_messages(element, session)))
    yield from session.flush()


def _note_session(session: SessionBatches, record: Record) -> None:
    title = parsing.valid_title(record.get(TITLES.get(str(record.get("type")), "")))
    session.title = title or session.title
    cwd = record.get("cwd")
    if isinstance(cwd, str):
        session.metadata.setdefault("project", cwd)


def _messages(record: Record, session: SessionBatches) -> Iterator[ExportedMessage]:
    queued = parsing.as_object(record.get("attachment"))
    if queued.get("type") == "queued_command" and queued.get("commandMode") == "prompt":
        message: Record = {"role": "user", "content": queued.get("prompt")}
    else:
        message = parsing.as_object(record.get("message"))
    if message.get("role") not in ROLES or (record.get("type") not in ROLES and not queued):
        return  # a record of the program about the session
    reason = _skip_reason(record, message)
    if reason is not None:
        session.skipped[reason] += 1
        return
    said = _parse_message(record, message, session)
    if said is not None:
        yield from split_tool_blocks(said)


def _skip_reason(record: Record, message: Record) -> str | None:
    if record.get("isSidechain") is True:
        return SkipReason.SUBAGENT
    if any(record.get(name) is True for name in SUMMARIES):
        return SkipReason.SUMMARY
    made = any(record.get(name) is True for name in NOT_TYPED) or message.get("model") == "<synthetic>"
    return SkipReason.PROGRAM if made else None


def _parse_message(record: Record, message: Record, session: SessionBatches) -> ExportedMessage | None:
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else parsing.as_list(content)
    texts = [block["text"] for block in blocks if parsing.matches_fields(block, {"text": str})]
    tools = [block for block in blocks if parsing.as_object(block).get("type") in ("tool_use", "tool_result")]
    for block in blocks:
        kind = SKIPPED_BLOCKS.get(str(parsing.as_object(block).get("type")))
        if kind is not None:
            session.skipped[kind] += 1
    own: list[dict[str, Json]] = []
    typed = typed_content(texts) if message["role"] == "user" else "\n\n".join(texts)
    if message["role"] == "user" and texts and (tools or typed is None):  # beside a result, the program speaks
        session.skipped[SkipReason.PROGRAM] += 1
    elif isinstance(typed, list):
        own = typed
    elif typed and typed.strip():
        own = [{"type": "text", "text": typed}]
    if not own and not tools:
        return None
    model = {"model": message["model"]} if isinstance(message.get("model"), str) else {}
    parts = cast("list[Record]", [*own, *tools])
    id, at = parsing.valid_id(record.get("uuid")), parsing.parse_time(record.get("timestamp"))
    said = ExportedMessage(message["role"], parts, id, at, metadata=model)
    plain = len(parts) == 1 and parts[0]["type"] == "text"
    return replace(said, content=parts[0]["text"]) if plain else said
