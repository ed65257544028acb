"""Whose export a file is, by the first record in it that is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from recollect.imports import chat, chatgpt, claude, langchain, mem0
from recollect.imports.exported import Found
from recollect.models import ImportFormat, Json

Record = Mapping[str, Json]

PARSERS: Mapping[ImportFormat, Callable[[Iterator[Json], str], Iterator[Found]]] = {
    "chatgpt": chatgpt.chats,
    "claude": claude.chats,
    "chat": chat.chats,
    "langchain": langchain.chats,
    "mem0": mem0.chats,
}


def detected(element: Json) -> ImportFormat | None:
    if not isinstance(element, dict):
        return None
    return next((format for format, knows in SHAPES.items() if knows(element)), None)


def _langchain(element: Record) -> bool:
    messages = element.get("messages")
    return langchain.is_message(element) or (isinstance(messages, list) and any(map(langchain.is_message, messages)))


def _chat(element: Record) -> bool:
    return isinstance(element.get("messages"), list) or (isinstance(element.get("role"), str) and "content" in element)


SHAPES: Mapping[ImportFormat, Callable[[Record], bool]] = {
    "chatgpt": lambda element: isinstance(element.get("mapping"), dict),
    "claude": lambda element: bool({"chat_messages", "conversations_memory", "project_memories"} & element.keys()),
    "langchain": _langchain,
    "chat": _chat,
    "mem0": lambda element: isinstance(element.get("results"), list) or isinstance(element.get("memory"), str),
}
