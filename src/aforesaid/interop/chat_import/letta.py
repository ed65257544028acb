"""Parses agent files of Letta (`.af`): the messages of each agent, and its notes about the user as a profile. Also
what an agent file lacks, as the API gives it: older messages, and the passages of the archive."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

from aforesaid.interop.chat_import import chat, parsing
from aforesaid.interop.chat_import.exports import (
    ExportedChat,
    ExportedMessage,
    ExportItem,
    SkippedItems,
    SkipReason,
    SourceFile,
)
from aforesaid.models.json import Json

Record = Mapping[str, Json]

ABOUT_THE_USER = "human"  # the label of the block
SPEAK = "send_message"  # the tool by which older agents speak to the user
PASSAGE = {"id": str, "text": str}  # of an archive
LISTED = {"id": str, "message_type": str, "date": str}  # a message of `agents.messages.list`
SPOKEN = {"user_message": "user", "assistant_message": "assistant"}
NOT_SPOKEN = {  # others are of tools
    "system_message": SkipReason.PROGRAM,
    "event_message": SkipReason.PROGRAM,
    "summary_message": SkipReason.SUMMARY,
    "reasoning_message": SkipReason.THOUGHTS,
    "hidden_reasoning_message": SkipReason.THOUGHTS,
}


def knows(record: Record) -> bool:
    if isinstance(record.get("agents"), list) and isinstance(record.get("blocks"), list):
        return True
    messages = record.get("messages")
    if any(map(_is_passage, _passages(record))) or any(map(_is_listed, parsing.as_list(messages))):
        return True
    return isinstance(messages, list) and {"agent_type", "core_memory"} <= record.keys()


def chats(elements: Iterator[Json], file: SourceFile) -> Iterator[ExportItem]:
    for element in elements:
        if not isinstance(element, dict) or not knows(element):
            yield SkippedItems(SkipReason.UNKNOWN)
            continue
        if passages := [passage for passage in _passages(element) if _is_passage(passage)]:
            yield from (_note(passage, f"letta-archive:{file.stem}") for passage in passages)
            continue
        if any(map(_is_listed, parsing.as_list(element.get("messages")))):
            yield from _listed(element, file)
            continue
        agents = element.get("agents", [element])
        for place, agent in enumerate(agents):
            id = f"letta:{file.stem}" if len(agents) == 1 else f"letta:{file.stem}:{place + 1}"
            yield from _agent(parsing.as_object(agent), id)
        blocks = parsing.as_list(element.get("blocks")) or parsing.as_list(element.get("core_memory"))
        yield from _profile(blocks, f"letta-memory:{file.stem}")


def _passages(record: Record) -> list[Json]:
    """The passages of a list of them, or one passage."""
    listed = record.get("passages")
    return listed if isinstance(listed, list) else [record]


def _is_passage(record: Json) -> bool:
    """A passage also has the embedding model that its archive uses, or the archive's id."""
    return parsing.matches_fields(record, PASSAGE) and bool({"embedding_config", "archive_id"} & record.keys())


def _note(passage: Record, id: str) -> ExportItem:
    if passage.get("is_deleted") or not passage["text"].strip():
        return SkippedItems(SkipReason.HIDDEN if passage.get("is_deleted") else SkipReason.NO_TEXT)
    at = parsing.parse_time(passage.get("created_at"))
    tags = [tag for tag in parsing.as_list(passage.get("tags")) if isinstance(tag, str)]
    text, key = passage["text"], parsing.valid_id(passage["id"])
    note = ExportedMessage("assistant", text, key, at, "Letta", metadata={"tags": tags} if tags else {})
    return ExportedChat(id, "letta", [note], "Letta's archive", at, kind="memories")


def _is_listed(record: Json) -> bool:
    return parsing.matches_fields(record, LISTED)


def _listed(element: Record, file: SourceFile) -> Iterator[ExportItem]:
    """The messages that the API lists, oldest first: it also gives the newest first."""
    messages: list[ExportedMessage] = []
    for record in map(parsing.as_object, element["messages"]):
        kind = record.get("message_type")
        if kind not in SPOKEN:
            yield SkippedItems(NOT_SPOKEN.get(str(kind), SkipReason.TOOL))
            continue
        said = ExportedMessage(
            SPOKEN[kind],
            chat.content_parts(record.get("content")),
            parsing.valid_id(record.get("id")),
            parsing.parse_time(record.get("date")),
            parsing.valid_id(record.get("name")),
        )
        for parsed in _unpack(said) if said.role == "user" else [said]:
            if isinstance(parsed, SkippedItems) or parsed.is_empty:
                yield parsed if isinstance(parsed, SkippedItems) else SkippedItems(SkipReason.NO_TEXT)
            else:
                messages.append(parsed)
    messages.sort(key=lambda message: message.at or parsing.EPOCH)
    yield ExportedChat(f"letta:{file.stem}", "letta", messages)


def _agent(agent: Record, id: str) -> Iterator[ExportItem]:
    messages: list[ExportedMessage] = []
    for place, message in enumerate(parsing.as_list(agent.get("messages"))):
        for parsed in _messages(message):
            if isinstance(parsed, SkippedItems):
                yield parsed
            else:
                key = parsing.stable_id(id, parsed.id or place, str(parsed.at), parsed.role, parsed.tool_call_id)
                messages.append(replace(parsed, id=key))
    yield ExportedChat(id, "letta", messages, parsing.valid_title(agent.get("name")))


def _messages(message: Json) -> Iterator[ExportedMessage | SkippedItems]:
    record = parsing.as_object(message)
    if record.get("role") == "system":  # the agent's instructions, with all of its memory
        yield SkippedItems(SkipReason.PROGRAM)
        return
    calls = [call for call in parsing.as_list(record.get("tool_calls")) if isinstance(call, dict)]
    said = [text for call in calls if (text := _spoken(call))]
    for parsed in chat.parse_message(message):
        if isinstance(parsed, SkippedItems):
            yield parsed
        elif parsed.role == "user":
            yield from _unpack(parsed)
        elif said:  # the content of such a message is a thought
            others = [call for call in calls if not _spoken(call)]
            yield replace(parsed, content="\n\n".join(said), tool_calls=others or None)
        elif parsed.role == "tool" and parsed.tool_call_id is None:
            yield SkippedItems(SkipReason.TOOL)
        else:
            yield parsed


def _spoken(call: Record) -> str:
    function = parsing.as_object(call.get("function"))
    return str(_object(function.get("arguments")).get("message") or "") if function.get("name") == SPEAK else ""


def _unpack(message: ExportedMessage) -> Iterator[ExportedMessage | SkippedItems]:
    """A user's message may be an object that also describes logins and timed events."""
    text = parsing.result_text(message.content if isinstance(message.content, str) else list(message.content))
    event = _object(text)
    if "type" not in event:
        yield message
    elif event["type"] == "user_message" and isinstance(event.get("message"), str):
        yield replace(message, content=event["message"])
    else:
        yield SkippedItems(SkipReason.PROGRAM)


def _object(text: Json) -> Record:
    if not isinstance(text, str) or not text.lstrip().startswith("{"):
        return {}
    try:
        return parsing.as_object(json.loads(text))
    except (ValueError, RecursionError):
        return {}


def _profile(blocks: list[Json], id: str) -> Iterator[ExportItem]:
    for block in map(parsing.as_object, blocks):
        text = block.get("value")
        if block.get("label") == ABOUT_THE_USER and isinstance(text, str) and text.strip():
            note = ExportedMessage("assistant", text, parsing.stable_id(id, text), name="Letta")
            yield ExportedChat(id, "letta", [note], "Letta's memory", kind="profile")
