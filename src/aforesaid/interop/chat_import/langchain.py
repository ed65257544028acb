"""Parses LangChain messages as `messages_to_dict` and `dumpd` write them. No class that a file names is loaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from aforesaid.interop.chat_import import chat, parsing
from aforesaid.interop.chat_import.exports import ExportedChat, ExportItem, SkippedItems, SourceFile
from aforesaid.models.json import Json

ROLES = ("human", "ai", "system", "tool", "function", "developer")

Record = Mapping[str, Json]


def knows(record: Record) -> bool:
    messages = record.get("messages")
    return is_message(record) or (isinstance(messages, list) and any(map(is_message, messages)))


def chats(elements: Iterator[Json], file: SourceFile) -> Iterator[ExportItem]:
    """Each object with `messages` is a conversation. Bare messages are one conversation, named after the file."""
    for item in chat.chats(map(_to_chat_message, elements), file):
        yield item if isinstance(item, SkippedItems) else _with_source(item)


def is_message(element: Json) -> bool:
    """Returns True for a LangChain message in either form."""
    if not isinstance(element, dict):
        return False
    if element.get("lc") == 1 and isinstance(element.get("kwargs"), dict):
        return True
    data = element.get("data")
    return isinstance(element.get("type"), str) and isinstance(data, dict) and "content" in data


def _with_source(parsed: ExportedChat) -> ExportedChat:
    id = "langchain:" + parsed.id.removeprefix("chat:") if parsed.id.startswith("chat:") else parsed.id
    return replace(parsed, id=id, source="langchain")


def _to_chat_message(element: Json) -> Json:
    """Converts a message or a conversation to the format of chat APIs."""
    if isinstance(element, dict) and isinstance(element.get("messages"), list):
        return element | {"messages": [_to_chat_message(message) for message in element["messages"]]}
    if not is_message(element):
        return element
    fields: Record = element["kwargs"] if "kwargs" in element else element["data"]
    given = (call for call in parsing.as_list(fields.get("tool_calls")) if isinstance(call, dict))
    calls: list[Json] = [parsing.tool_call(call.get("id"), call.get("name"), call.get("args")) for call in given]
    calls = calls or parsing.as_list(parsing.as_object(fields.get("additional_kwargs")).get("tool_calls"))
    message = {name: fields.get(name) for name in ("content", "id", "name", "tool_call_id", *chat.TIMES)}
    return message | {"role": _role(element, fields), "tool_calls": calls}


def _role(element: Record, fields: Record) -> Json:
    """The role by the name of the type: `ai`, `AIMessage` and `AIMessageChunk` are the same."""
    path = element.get("id")
    kind = path[-1] if isinstance(path, list) and path else element.get("type")
    word = str(kind).removesuffix("Chunk").removesuffix("Message").lower()
    if word == "chat":
        return fields.get("role")
    return word if word in ROLES else None
