"""Parses ChatGPT exports. Of each message tree, only the branch that was open last is imported."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping

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

_CITATION = re.compile(r"【[^【】\n]{0,80}†[^【】\n]{0,80}】")
_MARK = re.compile("\ue200([^\ue200\ue201]{0,4000})\ue201")
_PRIVATE = re.compile("[\ue200-\ue20f]")
BETWEEN = "\ue202"


def strip_citations(text: str) -> str:
    """The text as a reader saw it: with marked names, without references."""
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
FILE_FIELDS = ("content_type", "asset_pointer", "name", "size_bytes")
INSTRUCTIONS = ("user_profile", "user_instructions", "about_user_message", "about_model_message")

Record = Mapping[str, Json]


def parse_message(message: Record, key: str) -> ExportedMessage | str | None:
    """The message, or the reason to skip it; None for a node without a message. `key` replaces a missing id."""
    if not message:
        return None
    content, more = parsing.as_object(message.get("content")), parsing.as_object(message.get("metadata"))
    id = parsing.valid_id(message.get("id")) or parsing.valid_id(key)
    at = parsing.parse_time(message.get("create_time"))
    instructions = _instructions(content, more)
    if instructions:
        return ExportedMessage("system", instructions, id, at)
    role = parsing.as_object(message.get("author")).get("role")
    reason = _skip_reason(message, role)
    if reason is not None:
        return reason
    text, files = _text_and_files(content, role)
    if not text.strip():
        return SkipReason.NO_TEXT if content.get("content_type") in IN_PARTS + IN_TEXT else SkipReason.UNKNOWN_TYPE
    model = {"model": more["model_slug"]} if isinstance(more.get("model_slug"), str) else {}
    return ExportedMessage(str(role), text, id, at, metadata=model | ({"attachments": files} if files else {}))


def _skip_reason(message: Record, role: Json) -> str | None:
    if parsing.as_object(message.get("metadata")).get("is_visually_hidden_from_conversation") is True:
        return SkipReason.HIDDEN
    if parsing.as_object(message.get("content")).get("content_type") in THINKING:
        return SkipReason.THOUGHTS
    if role == "tool" or message.get("recipient") not in ("all", None):
        return SkipReason.TOOL
    return None if role in ("user", "assistant", "system") else SkipReason.UNKNOWN_TYPE


def _text_and_files(content: Record, role: Json) -> tuple[str, list[Json]]:
    """The text and the files of a content."""
    kind, text = content.get("content_type"), content.get("text")
    if kind in IN_PARTS:
        parts = parsing.as_list(content.get("parts"))
        files: list[Json] = [part for part in parts if isinstance(part, dict) and not _part(part)]
        words = "\n\n".join(text for part in parts if (text := _part(part)).strip())
        return (strip_citations(words) if role == "assistant" else words), parsing.pick_fields(files, FILE_FIELDS)
    if kind not in IN_TEXT or not isinstance(text, str) or not text.strip():
        return "", []
    return (f"```{content.get('language') or ''}\n{text}\n```" if kind == "code" else text), []


def _part(part: Json) -> str:
    spoken = isinstance(part, dict) and part.get("content_type") == "audio_transcription"
    text = part.get("text") if spoken else part
    return text if isinstance(text, str) else ""


def _instructions(content: Record, more: Record) -> str:
    """Custom instructions, which every conversation repeats: text for the system role."""
    old_form = more.get("user_context_message_data") if more.get("is_user_system_message") is True else {}
    new_form = content if content.get("content_type") == "user_editable_context" else {}
    texts = [parsing.as_object(form).get(name) for form in (old_form, new_form) for name in INSTRUCTIONS]
    return "\n\n".join(dict.fromkeys(text for text in texts if isinstance(text, str) and text.strip()))


def knows(record: Record) -> bool:
    others = {"current_node", "conversation_id", "id", "title", "create_time"}
    return isinstance(record.get("mapping"), dict) and bool(others & record.keys())


def chats(elements: Iterator[Json], _file: SourceFile) -> Iterator[ExportItem]:
    for element in elements:
        if isinstance(element, dict) and isinstance(element.get("mapping"), dict):
            yield from _chat(element)
        else:
            yield SkippedItems(SkipReason.UNKNOWN)


def _chat(record: Record) -> Iterator[ExportItem]:
    nodes = {key: node for key, node in record["mapping"].items() if isinstance(node, dict)}
    path = _open_branch(nodes, record.get("current_node"))
    skipped: Counter[str] = Counter()
    messages: list[ExportedMessage] = []
    for key in path:
        message = parse_message(_message(nodes[key]), key)
        if isinstance(message, ExportedMessage):
            messages.append(message)
            skipped[SkipReason.ATTACHMENTS] += len(message.metadata.get("attachments", ()))
        elif message is not None:
            skipped[message] += 1
    skipped[SkipReason.OTHER_BRANCH] += sum(1 for key in nodes.keys() - set(path) if _message(nodes[key]))
    yield from SkippedItems.from_counts(skipped)
    own_id = parsing.valid_id(record.get("conversation_id")) or parsing.valid_id(record.get("id"))
    yield ExportedChat(
        own_id or parsing.stable_id("chatgpt", sorted(nodes)[:1]),
        "chatgpt",
        messages,
        parsing.valid_title(record.get("title")),
        parsing.parse_time(record.get("create_time")),
        metadata={"archived": True} if record.get("is_archived") is True else {},
    )


def _open_branch(nodes: Mapping[str, Record], current: Json) -> list[str]:
    """The keys from the root to the node that was open last, or to the newest leaf if that is not known."""

    def known(key: Json) -> str | None:
        return key if isinstance(key, str) and key in nodes else None

    parents = {key: known(node.get("parent")) for key, node in nodes.items()}
    times = {key: _message(node).get("create_time") for key, node in nodes.items()}
    return parsing.newest_branch(parents, times, known(current))


def _message(node: Record) -> Record:
    return parsing.as_object(node.get("message"))
