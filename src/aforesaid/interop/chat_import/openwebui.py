"""Parses the chats that Open WebUI exports. Of each message tree, only the branch that was open last is imported."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from aforesaid.interop.chat_import import parsing
from aforesaid.interop.chat_import.api_messages import response_item
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

ROLES = ("user", "assistant", "system")
FILE_FIELDS = ("name", "type", "id", "size")
_DETAILS = re.compile(
    r"<details type=\"(?:reasoning|tool_calls|code_interpreter)\"(?:(?!<details).)*?</details>\s*", re.S
)


def knows(record: Record) -> bool:
    chat = parsing.as_object(record.get("chat"))
    inside = isinstance(chat.get("history"), dict) or isinstance(chat.get("messages"), list)
    return inside and bool({"id", "user_id", "title", "created_at"} & record.keys())


def chats(elements: Iterator[Json], _file: SourceFile) -> Iterator[ExportItem]:
    for element in elements:
        if isinstance(element, dict) and isinstance(element.get("chat"), dict):
            yield from _chat(element, element["chat"])
        else:
            yield SkippedItems(SkipReason.UNKNOWN)


def _chat(record: Record, chat: Record) -> Iterator[ExportItem]:
    nodes = _nodes(chat)
    path = _open_branch(nodes, parsing.as_object(chat.get("history")).get("currentId"))
    skipped: Counter[str] = Counter({SkipReason.OTHER_BRANCH: len(nodes) - len(path)})
    messages = [message for key in path for message in _messages(nodes[key], key, skipped)]
    yield from SkippedItems.from_counts(skipped)
    yield ExportedChat(
        parsing.valid_id(record.get("id")) or parsing.stable_id("openwebui", sorted(nodes)[:1]),
        "openwebui",
        messages,
        parsing.valid_title(record.get("title")) or parsing.valid_title(chat.get("title")),
        parsing.parse_time(record.get("created_at")),
    )


def _nodes(chat: Record) -> dict[str, Record]:
    """The messages by their ids; those of an old export are a list."""
    tree = parsing.as_object(parsing.as_object(chat.get("history")).get("messages"))
    listed = {str(place): message for place, message in enumerate(parsing.as_list(chat.get("messages")))}
    return {key: node for key, node in (tree or listed).items() if isinstance(node, dict)}


def _open_branch(nodes: Mapping[str, Record], current: Json) -> list[str]:
    keys = list(nodes)
    ids = {node.get("id"): key for key, node in nodes.items() if isinstance(node.get("id"), str)}

    def known(key: Json, before: str | None) -> str | None:
        if not isinstance(key, str):
            return before
        return key if key in nodes else ids.get(key, before)

    linked = any(isinstance(node.get("parentId"), str) for node in nodes.values())
    parents = {
        key: known(node.get("parentId"), None if linked or not place else keys[place - 1])
        for place, (key, node) in enumerate(nodes.items())
    }
    times = {key: node.get("timestamp") for key, node in nodes.items()}
    return parsing.newest_branch(parents, times, known(current, None))


def _messages(node: Record, key: str, skipped: Counter[str]) -> Iterator[ExportedMessage]:
    """The message of a node, and the tool calls and results before it."""
    if node.get("role") not in ROLES:
        skipped[SkipReason.UNKNOWN_TYPE] += 1
        return
    id = parsing.valid_id(node.get("id")) or parsing.valid_id(key) or ""
    at = parsing.parse_time(node.get("timestamp"))
    for place, item in enumerate(parsing.as_list(node.get("output"))):
        parsed = response_item(item) if isinstance(item, dict) else None
        if isinstance(parsed, ExportedMessage):
            yield replace(parsed, id=parsing.stable_id(id, place), at=at)
        elif parsed is not None:
            skipped[parsed] += 1
    text = node.get("content")
    plain = text if isinstance(text, str) else parsing.result_text(text) if isinstance(text, list) else ""
    words = _DETAILS.sub("", plain) if node["role"] == "assistant" else plain
    files = parsing.pick_fields(parsing.as_list(node.get("files")), FILE_FIELDS)
    skipped[SkipReason.ATTACHMENTS] += len(files)
    if not words.strip():
        skipped[SkipReason.NO_TEXT] += 1
        return
    model = {"model": node["model"]} if isinstance(node.get("model"), str) else {}
    yield ExportedMessage(node["role"], words, id, at, metadata=_metadata(model, files))


def _metadata(model: Record, files: Sequence[Json]) -> dict[str, Json]:
    return {**model, "attachments": list(files)} if files else dict(model)
