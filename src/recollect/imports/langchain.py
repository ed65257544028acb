"""LangChain's messages, as `messages_to_dict` and `dumpd` write them. Nothing that a file names is made or called."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from recollect.imports import chat
from recollect.imports.exported import Aside, Chat, Found
from recollect.models import Json

ROLES = {
    "human": "user",
    "ai": "assistant",
    "system": "system",
    "tool": "tool",
    "function": "tool",
    "developer": "system",
}

Record = Mapping[str, Json]


def chats(elements: Iterator[Json], file: str) -> Iterator[Found]:
    """Lists of messages under `messages` are a conversation each; bare messages are one, named after the file."""
    for found in chat.chats(map(_plain, elements), file):
        yield found if isinstance(found, Aside) else _renamed(found)


def is_message(element: Json) -> bool:
    """Whether it is a message of LangChain's, in either form."""
    if not isinstance(element, dict):
        return False
    if element.get("lc") == 1 and isinstance(element.get("kwargs"), dict):
        return True
    return isinstance(element.get("type"), str) and isinstance(element.get("data"), dict)


def _renamed(found: Chat) -> Chat:
    id = "langchain:" + found.id.removeprefix("chat:") if found.id.startswith("chat:") else found.id
    return Chat(id, "langchain", found.messages, found.title, found.begun, found.first)


def _plain(element: Json) -> Json:
    """A message, or a conversation, in the shape that chat APIs have."""
    if isinstance(element, dict) and isinstance(element.get("messages"), list):
        return element | {"messages": [_plain(message) for message in element["messages"]]}
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
