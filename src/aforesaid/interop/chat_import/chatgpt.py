"""Parses ChatGPT exports. Of the message tree, the branch that was open last is taken."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime

from aforesaid.interop.chat_import.exported_chat import (
    ATTACHMENTS,
    EPOCH,
    HIDDEN,
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

_CITATION = re.compile(r"【[^【】\n]{0,80}†[^【】\n]{0,80}】")
_MARK = re.compile("\ue200([^\ue200\ue201]{0,4000})\ue201")
_PRIVATE = re.compile("[\ue200-\ue20f]")
BETWEEN = "\ue202"


def strip_citations(text: str) -> str:
    """The text as a reader saw it: names that were marked stay, references go."""
    return _PRIVATE.sub("", _CITATION.sub("", _MARK.sub(lambda mark: _visible_text(mark[1]), text)))


def _visible_text(mark: str) -> str:
    kind, *rest = mark.split(BETWEEN)
    if kind == "url" and rest:
        return rest[0]
    return _entity(rest[0]) if kind == "entity" and rest else ""


def _entity(written: str) -> str:
    try:
        parts = json.loads(written)
    except ValueError:
        return ""
    named = [part for part in parts if isinstance(part, str)] if isinstance(parts, list) else []
    return named[1] if len(named) > 1 else ""


THINKING = ("thoughts", "reasoning_recap")
IN_PARTS = ("text", "multimodal_text")
IN_TEXT = ("code", "execution_output", "tether_quote")
INSTRUCTIONS = ("user_profile", "user_instructions", "about_user_message", "about_model_message")

Record = Mapping[str, Json]


def parse_message(message: Record, key: str) -> ExportedMessage | str | None:
    """The message, or why it is left out; None where a node of the tree has none. `key` is its id if it has no own."""
    if not message:
        return None
    content, more = _object(message.get("content")), _object(message.get("metadata"))
    id, at = valid_id(message.get("id")) or valid_id(key), parse_time(message.get("create_time"))
    instructions = _instructions(content, more)
    if instructions:
        return ExportedMessage("system", instructions, id, at)
    role = _object(message.get("author")).get("role")
    reason = _skip_reason(message, role)
    if reason is not None:
        return reason
    text, files = _text_and_files(content, role)
    if not text.strip():
        return NO_TEXT if content.get("content_type") in IN_PARTS + IN_TEXT else UNKNOWN_TYPE
    model = {"model": more["model_slug"]} if isinstance(more.get("model_slug"), str) else {}
    return ExportedMessage(str(role), text, id, at, metadata=model | ({"attachments": files} if files else {}))


def _skip_reason(message: Record, role: Json) -> str | None:
    if _object(message.get("metadata")).get("is_visually_hidden_from_conversation") is True:
        return HIDDEN
    if _object(message.get("content")).get("content_type") in THINKING:
        return THOUGHTS
    if role == "tool" or message.get("recipient") not in ("all", None):
        return TOOL
    return None if role in ("user", "assistant", "system") else UNKNOWN_TYPE


def _text_and_files(content: Record, role: Json) -> tuple[str, list[Json]]:
    """The text of a content, and the files that stand in it."""
    kind, text = content.get("content_type"), content.get("text")
    if kind in IN_PARTS:
        parts = content.get("parts")
        parts = parts if isinstance(parts, list) else []
        files = [_file(part) for part in parts if isinstance(part, dict) and not _part(part)]
        words = "\n\n".join(text for part in parts if (text := _part(part)).strip())
        return (strip_citations(words) if role == "assistant" else words), files
    if kind not in IN_TEXT or not isinstance(text, str) or not text.strip():
        return "", []
    return (f"```{content.get('language') or ''}\n{text}\n```" if kind == "code" else text), []


def _part(part: Json) -> str:
    spoken = isinstance(part, dict) and part.get("content_type") == "audio_transcription"
    text = part.get("text") if spoken else part
    return text if isinstance(text, str) else ""


def _file(part: Record) -> Json:
    wanted = ("content_type", "asset_pointer", "name", "size_bytes")
    return {name: part[name] for name in wanted if isinstance(part.get(name), str | int)}


def _instructions(content: Record, more: Record) -> str:
    """Custom instructions, which stand in every conversation: text for the system role, nobody's message."""
    told = _object(more.get("user_context_message_data")) if more.get("is_user_system_message") is True else {}
    stated = content if content.get("content_type") == "user_editable_context" else {}
    texts = [each.get(name) for each in (told, stated) for name in INSTRUCTIONS]
    return "\n\n".join(dict.fromkeys(text for text in texts if isinstance(text, str) and text.strip()))


def _object(value: Json) -> Record:
    return value if isinstance(value, dict) else {}


def chats(elements: Iterator[Json], _file: str) -> Iterator[ExportItem]:
    for element in elements:
        if isinstance(element, dict) and isinstance(element.get("mapping"), dict):
            yield from _chat(element)
        else:
            yield SkippedItems(UNKNOWN)


def _chat(record: Record) -> Iterator[ExportItem]:
    nodes = {key: node for key, node in record["mapping"].items() if isinstance(node, dict)}
    path = branch(nodes, record.get("current_node"))
    left: Counter[str] = Counter()
    said: list[ExportedMessage] = []
    for key in path:
        found = parse_message(_message(nodes[key]), key)
        if isinstance(found, ExportedMessage):
            said.append(found)
            left[ATTACHMENTS] += len(found.metadata.get("attachments", ()))
        elif found is not None:
            left[found] += 1
    left[OTHER_BRANCH] += sum(1 for key in nodes.keys() - set(path) if _message(nodes[key]))
    yield from (SkippedItems(reason, count) for reason, count in left.items() if count)
    id = (
        valid_id(record.get("conversation_id")) or valid_id(record.get("id")) or stable_id("chatgpt", sorted(nodes)[:1])
    )
    title = record.get("title")
    more = {"archived": True} if record.get("is_archived") is True else {}
    yield ExportedChat(
        id,
        "chatgpt",
        said,
        title if isinstance(title, str) and title.strip() else None,
        parse_time(record.get("create_time")),
        metadata=more,
    )


def branch(nodes: Mapping[str, Record], current: Json) -> list[str]:
    """The keys from the root to the node that was open last, or to the newest leaf where that is not known. A circle
    is gone through once."""
    at = current if isinstance(current, str) and current in nodes else _newest(nodes)
    path: dict[str, None] = {}
    while isinstance(at, str) and at in nodes and at not in path:
        path[at] = None
        at = nodes[at].get("parent")
    return list(reversed(path))


def _newest(nodes: Mapping[str, Record]) -> str | None:
    parents = {node["parent"] for node in nodes.values() if isinstance(node.get("parent"), str)}
    leaves = [key for key in nodes if key not in parents] or list(nodes)
    return max(leaves, key=lambda key: _at(nodes[key]), default=None)


def _at(node: Record) -> datetime:
    return parse_time(_message(node).get("create_time")) or EPOCH


def _message(node: Record) -> Record:
    message = node.get("message")
    return message if isinstance(message, dict) else {}
