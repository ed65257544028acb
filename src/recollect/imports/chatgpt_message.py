"""One message of a ChatGPT export: who said what, or why it is left out."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.imports.citations import without_marks
from recollect.imports.exported import HIDDEN, NO_TEXT, THOUGHTS, TOOL, UNKNOWN_TYPE, Said
from recollect.imports.names import named
from recollect.imports.when import moment
from recollect.models import Json

THINKING = ("thoughts", "reasoning_recap")
IN_PARTS = ("text", "multimodal_text")
IN_TEXT = ("code", "execution_output", "tether_quote")
INSTRUCTIONS = ("user_profile", "user_instructions", "about_user_message", "about_model_message")

Record = Mapping[str, Json]


def said_in(message: Record, key: str) -> Said | str | None:
    """The message, or why it is left out; None where a node of the tree has none. `key` is its id if it has no own."""
    if not message:
        return None
    content, more = _object(message.get("content")), _object(message.get("metadata"))
    id, at = named(message.get("id")) or named(key), moment(message.get("create_time"))
    instructions = _instructions(content, more)
    if instructions:
        return Said("system", instructions, id, at)
    role = _object(message.get("author")).get("role")
    reason = _passed_over(message, role)
    if reason is not None:
        return reason
    text, files = _words(content, role)
    if not text.strip():
        return NO_TEXT if content.get("content_type") in IN_PARTS + IN_TEXT else UNKNOWN_TYPE
    model = {"model": more["model_slug"]} if isinstance(more.get("model_slug"), str) else {}
    return Said(str(role), text, id, at, metadata=model | ({"attachments": files} if files else {}))


def _passed_over(message: Record, role: Json) -> str | None:
    if _object(message.get("metadata")).get("is_visually_hidden_from_conversation") is True:
        return HIDDEN
    if _object(message.get("content")).get("content_type") in THINKING:
        return THOUGHTS
    if role == "tool" or message.get("recipient") not in ("all", None):
        return TOOL
    return None if role in ("user", "assistant", "system") else UNKNOWN_TYPE


def _words(content: Record, role: Json) -> tuple[str, list[Json]]:
    """The text of a content, and the files that stand in it."""
    kind, text = content.get("content_type"), content.get("text")
    if kind in IN_PARTS:
        parts = content.get("parts")
        parts = parts if isinstance(parts, list) else []
        files = [_file(part) for part in parts if isinstance(part, dict) and not _part(part)]
        words = "\n\n".join(text for part in parts if (text := _part(part)).strip())
        return (without_marks(words) if role == "assistant" else words), files
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
