"""Parses conversations and memories of Claude exports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from aforesaid.interop.chat_import.exported_chat import (
    ATTACHMENTS,
    EPOCH,
    NO_TEXT,
    OTHER_BRANCH,
    THOUGHTS,
    TOOL,
    UNKNOWN,
    UNKNOWN_TYPE,
    ExportedChat,
    ExportedMessage,
    ExportItem,
    SkippedItems,
    parse_time,
    stable_id,
    valid_id,
)
from aforesaid.models.json import Json

ROLES = {"human": "user", "assistant": "assistant"}
ROOT = "00000000-0000-4000-8000-000000000000"  # the parent of a conversation's first message
SKIP_REASONS = {"thinking": THOUGHTS, "redacted_thinking": THOUGHTS, "tool_use": TOOL, "tool_result": TOOL}
NOTES = "claude-memory"  # the conversation that Claude's own notes on the user are kept in

Record = Mapping[str, Json]


def chats(elements: Iterator[Json], _file: str) -> Iterator[ExportItem]:
    for element in elements:
        if isinstance(element, dict) and isinstance(element.get("chat_messages"), list):
            yield from _chat(element)
        elif isinstance(element, dict) and {"conversations_memory", "project_memories"} & element.keys():
            yield ExportedChat(NOTES, "claude", list(_notes(element)), "Claude's memory", kind="profile")
        else:
            yield SkippedItems(UNKNOWN)


def _chat(record: Record) -> Iterator[ExportItem]:
    messages = [message for message in record["chat_messages"] if isinstance(message, dict)]
    path = branch(messages)
    left: Counter[str] = Counter({OTHER_BRANCH: len(messages) - len(path)})
    left[UNKNOWN] += len(record["chat_messages"]) - len(messages)
    said = []
    for message in path:
        one = _parse_message(message, left)
        if one.role not in ROLES.values():
            left[UNKNOWN_TYPE] += 1
        elif one.is_empty:
            left[NO_TEXT] += 1
        else:
            said.append(one)
    yield from (SkippedItems(reason, count) for reason, count in left.items() if count)
    title = record.get("name")
    begun = parse_time(record.get("created_at"))
    id = valid_id(record.get("uuid")) or stable_id(
        "claude", str(begun), [message.get("uuid") for message in messages[:1]]
    )
    yield ExportedChat(id, "claude", said, title if isinstance(title, str) and title.strip() else None, begun)


def branch(messages: Sequence[Record]) -> list[Record]:
    """The messages up to the newest leaf, in their order: of edits and retries, the one that was gone on with.

    One whose parent is not told follows the message before it, as in old exports. A circle is gone through once.
    """
    places = {message["uuid"]: at for at, message in enumerate(messages) if isinstance(message.get("uuid"), str)}
    parents = [_parent(message, at, places) for at, message in enumerate(messages)]
    leaves = sorted(set(range(len(messages))) - set(parents)) or list(range(len(messages)))
    place = max(leaves, key=lambda at: (parse_time(messages[at].get("created_at")) or EPOCH, at), default=None)
    path: dict[int, None] = {}
    while place is not None and place not in path:
        path[place] = None
        place = parents[place]
    return [messages[at] for at in reversed(path)]


def _parent(message: Record, at: int, places: Mapping[str, int]) -> int | None:
    told = message.get("parent_message_uuid")
    if told == ROOT:
        return None
    known = places.get(told) if isinstance(told, str) else None
    return known if known is not None else at - 1 if at > 0 else None


def _parse_message(message: Record, left: Counter[str]) -> ExportedMessage:
    """A message; counts what of it is left out."""
    blocks = message.get("content")
    texts = list(_texts(blocks if isinstance(blocks, list) else [], left))
    own = message.get("text")
    text = "\n\n".join(texts) or (own if isinstance(own, str) else "")
    files = [file for name in ("attachments", "files") for file in _files(message.get(name))]
    left[ATTACHMENTS] += len(files)
    metadata = {"attachments": files} if files else {}
    role = ROLES.get(str(message.get("sender")), "")
    return ExportedMessage(
        role, text, valid_id(message.get("uuid")), parse_time(message.get("created_at")), metadata=metadata
    )


def _texts(blocks: Sequence[Json], left: Counter[str]) -> Iterator[str]:
    for block in blocks:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "text" and isinstance(block.get("text"), str):
            if block["text"].strip():
                yield block["text"]
        else:
            left[SKIP_REASONS.get(str(kind), UNKNOWN_TYPE)] += 1


def _files(value: Json) -> Iterator[Record]:
    wanted = ("file_name", "file_size", "file_type", "file_uuid")
    for file in value if isinstance(value, list) else []:
        if isinstance(file, dict):
            yield {name: file[name] for name in wanted if isinstance(file.get(name), str | int)}


def _notes(record: Record) -> Iterator[ExportedMessage]:
    """What Claude has noted of its user, a text each. Another text is another message."""
    texts = [(None, record.get("conversations_memory"))]
    projects = record.get("project_memories")
    texts += projects.items() if isinstance(projects, dict) else []
    for project, text in texts:
        if isinstance(text, str) and text.strip():
            id = stable_id("claude", str(record.get("account_uuid")), project, text)
            yield ExportedMessage(
                "assistant", text, id, name="Claude", metadata={"project": project} if project else {}
            )
