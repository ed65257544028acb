"""Parses conversations and memories of Claude exports."""

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

ROLES = {"human": "user", "assistant": "assistant"}
ROOT = "00000000-0000-4000-8000-000000000000"  # the parent of a conversation's first message
TREE = parsing.TreeFields("uuid", "parent_message_uuid", "created_at", ROOT)
SKIP_REASONS = {
    "thinking": SkipReason.THOUGHTS,
    "redacted_thinking": SkipReason.THOUGHTS,
    "tool_use": SkipReason.TOOL,
    "tool_result": SkipReason.TOOL,
}
NOTES = "claude-memory"  # the conversation of Claude's notes about the user
FILE_FIELDS = ("file_name", "file_size", "file_type", "file_uuid")

Record = Mapping[str, Json]


def knows(record: Record) -> bool:
    memory = {"conversations_memory", "project_memories", "account_uuid"} & record.keys()
    return len(memory) > 1 or (
        isinstance(record.get("chat_messages"), list) and bool({"uuid", "name", "created_at"} & record.keys())
    )


def chats(elements: Iterator[Json], _file: SourceFile) -> Iterator[ExportItem]:
    for element in elements:
        if isinstance(element, dict) and isinstance(element.get("chat_messages"), list):
            yield from _chat(element)
        elif isinstance(element, dict) and {"conversations_memory", "project_memories"} & element.keys():
            yield ExportedChat(NOTES, "claude", list(_notes(element)), "Claude's memory", kind="profile")
        else:
            yield SkippedItems(SkipReason.UNKNOWN)


def _chat(record: Record) -> Iterator[ExportItem]:
    messages = [message for message in record["chat_messages"] if isinstance(message, dict)]
    path = parsing.newest_messages(messages, TREE)
    skipped: Counter[str] = Counter({SkipReason.OTHER_BRANCH: len(messages) - len(path)})
    skipped[SkipReason.UNKNOWN] += len(record["chat_messages"]) - len(messages)
    parsed = []
    for message in (_parse_message(message, skipped) for message in path):
        if message.role not in ROLES.values():
            skipped[SkipReason.UNKNOWN_TYPE] += 1
        elif message.is_empty:
            skipped[SkipReason.NO_TEXT] += 1
        else:
            parsed.append(message)
    yield from SkippedItems.from_counts(skipped)
    begun = parsing.parse_time(record.get("created_at"))
    id = parsing.valid_id(record.get("uuid")) or parsing.stable_id(
        "claude", str(begun), [message.get("uuid") for message in messages[:1]]
    )
    yield ExportedChat(id, "claude", parsed, parsing.valid_title(record.get("name")), begun)


def _parse_message(message: Record, skipped: Counter[str]) -> ExportedMessage:
    """A message; counts its parts that are skipped."""
    texts = list(_texts(parsing.as_list(message.get("content")), skipped))
    own_text = message.get("text")
    attached = parsing.as_list(message.get("attachments")) + parsing.as_list(message.get("files"))
    files = parsing.pick_fields(attached, FILE_FIELDS)
    skipped[SkipReason.ATTACHMENTS] += len(files)
    return ExportedMessage(
        ROLES.get(str(message.get("sender")), ""),
        "\n\n".join(texts) or (own_text if isinstance(own_text, str) else ""),
        parsing.valid_id(message.get("uuid")),
        parsing.parse_time(message.get("created_at")),
        metadata={"attachments": files} if files else {},
    )


def _texts(blocks: Sequence[Json], skipped: Counter[str]) -> Iterator[str]:
    for block in blocks:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "text" and isinstance(block.get("text"), str):
            if block["text"].strip():
                yield block["text"]
        else:
            skipped[SKIP_REASONS.get(str(kind), SkipReason.UNKNOWN_TYPE)] += 1


def _notes(record: Record) -> Iterator[ExportedMessage]:
    """Claude's notes about its user: one message per text."""
    projects = parsing.as_object(record.get("project_memories"))
    for project, text in [(None, record.get("conversations_memory")), *projects.items()]:
        if isinstance(text, str) and text.strip():
            id = parsing.stable_id("claude", str(record.get("account_uuid")), project, text)
            yield ExportedMessage(
                "assistant", text, id, name="Claude", metadata={"project": project} if project else {}
            )
