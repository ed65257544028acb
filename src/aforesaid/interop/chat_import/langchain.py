"""Parses LangChain messages as `messages_to_dict` and `dumpd` write them. No class that a file names is loaded."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from aforesaid.interop.chat_import import chat
from aforesaid.interop.chat_import.exported_chat import ExportedChat, ExportItem, SkippedItems
from aforesaid.models.json import Json

ROLES = {
    "human": "user",
    "ai": "assistant",
    "system": "system",
    "tool": "tool",
    "function": "tool",
    "developer": "system",
}

Record = Mapping[str, Json]


def chats(elements: Iterator[Json], file: str) -> Iterator[ExportItem]:
    """Lists of messages under `messages` are a conversation each; bare messages are one, named after the file."""
    for found in chat.chats(map(_to_chat_message, elements), file):
        yield found if isinstance(found, SkippedItems) else _with_source(found)


def is_message(element: Json) -> bool:
    """Whether it is a message of LangChain's, in either form."""
    if not isinstance(element, dict):
        return False
    if element.get("lc") == 1 and isinstance(element.get("kwargs"), dict):
        return True
    return isinstance(element.get("type"), str) and isinstance(element.get("data"), dict)


def _with_source(found: ExportedChat) -> ExportedChat:
    id = "langchain:" + found.id.removeprefix("chat:") if found.id.startswith("chat:") else found.id
    return ExportedChat(id, "langchain", found.messages, found.title, found.begun, found.first)


def _to_chat_message(element: Json) -> Json:
    """A message, or a conversation, in the shape that chat APIs have."""
    if isinstance(element, dict) and isinstance(element.get("messages"), list):
        return element | {"messages": [_to_chat_message(message) for message in element["messages"]]}
    if not is_message(element):
        return element
    own: Record = element["kwargs"] if "kwargs" in element else element["data"]
    calls = [_call(call) for call in _listed(own.get("tool_calls")) if isinstance(call, dict)]
    more = own.get("additional_kwargs")
    calls = calls or (_listed(more.get("tool_calls")) if isinstance(more, dict) else [])
    kept = {name: own.get(name) for name in ("content", "id", "name", "tool_call_id", *chat.TIMES)}
    return kept | {"role": _role(element, own), "tool_calls": calls}


def _role(element: Record, own: Record) -> Json:
    """Who speaks, by the type's name: `ai`, `AIMessage` and `AIMessageChunk` are the same."""
    path = element.get("id")
    kind = path[-1] if isinstance(path, list) and path else element.get("type")
    word = str(kind).removesuffix("Chunk").removesuffix("Message").lower()
    return own.get("role") if word == "chat" else ROLES.get(word)


def _call(call: Record) -> Record:
    """A call of a tool as chat APIs write it, with the arguments as text."""
    arguments = json.dumps(call.get("args") or {}, ensure_ascii=False)
    return {
        "id": str(call.get("id") or ""),
        "type": "function",
        "function": {"name": str(call.get("name") or ""), "arguments": arguments},
    }


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
