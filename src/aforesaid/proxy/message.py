"""Messages of requests in one form for all wire formats. A content is a text or a list of parts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from aforesaid import strip_memory_blocks
from aforesaid.models.json import Json
from aforesaid.models.message import Message, Role
from aforesaid.replies.json_path import get_path, get_text
from aforesaid.text.harness import HARNESS_PART, TextPiece, ends_examples, join_typed, split_harness

NUL_REPLACEMENT = {0: "\ufffd"}
ATTACHMENT_KINDS = {
    "image_url": "image",
    "input_image": "image",
    "input_audio": "audio",
    "file": "document",
    "input_file": "document",
}
TEXT_TYPES = ("text", "input_text", "output_text")


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """`text` is what was said. `pieces` is set if the message also has text of the client program. `attachments` are
    the kinds of content other than text: the kind is stored, not the bytes. `item` is the index of the message's item
    in the request."""

    role: Role
    text: str = ""
    attachments: tuple[str, ...] = ()
    calls: tuple[Mapping[str, Json], ...] = ()
    call_id: str | None = None
    item: int = field(default=0, compare=False)
    pieces: tuple[TextPiece, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.text.strip() or self.attachments or self.calls or self.call_id or self.pieces)

    @property
    def harness_only(self) -> bool:
        """True if all of the message is the client program's."""
        return bool(self.pieces) and not self.text

    @property
    def key(self) -> str:
        """Equal for equal messages. Ignores white space, because clients trim and wrap, and the client program's text
        beside what was said, because it changes from turn to turn."""
        text = self.text or "".join(piece.text for piece in self.pieces)
        return _key(self.role, text, self.attachments, self.calls, self.call_id)

    def as_harness(self, name: str) -> ChatMessage:
        """The message as one of the client program's."""
        return replace(self, text="", pieces=self.pieces or (TextPiece(self.text, name),)) if self.text else self

    def id(self, anchor: str) -> str:
        """Returns the message's id after the message `anchor`. The same for a repeated message."""
        return f"said-{digest([anchor, self.key])}"

    def record(self) -> dict[str, Json]:
        pieces = self.pieces or ((TextPiece(self.text),) if self.text.strip() else ())
        parts = [*(piece.part() for piece in pieces), *({"type": kind} for kind in self.attachments)]
        content = parts if self.pieces or self.attachments else self.text
        record: dict[str, Json] = {"role": self.role, "content": content}
        if self.calls:
            record["tool_calls"] = [dict(call) for call in self.calls]
        if self.call_id is not None:
            record["tool_call_id"] = self.call_id
        return record


def message_key(message: Message) -> str:
    """Returns the `ChatMessage.key` of a stored message."""
    parts = [] if isinstance(message.content, str) else message.content
    harness = "".join(str(part.get("text")) for part in parts if part.get("type") == HARNESS_PART)
    text = message.text if message.text.strip() else harness
    return _key(message.role, text, attachment_kinds(parts), tuple(message.tool_calls or ()), message.tool_call_id)


def user_message(content: Json, item: int, instructions: str) -> ChatMessage:
    """Returns a user message in which the client program's text is separated from what the person typed."""
    pieces = tuple(piece for text in content_texts(content) for piece in split_harness(text, instructions))
    if all(piece.harness is None for piece in pieces):
        return ChatMessage("user", content_text(content), attachment_kinds(content), item=item)
    return ChatMessage("user", join_typed(pieces), attachment_kinds(content), item=item, pieces=pieces)


def mark_harness_turns(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Marks the turns that a client program made up: its examples, and the answers to its messages before the person
    typed anything."""
    openings = [each.pieces[0].text if each.pieces else "" for each in messages]
    restart = max((at for at, text in enumerate(openings) if ends_examples(text)), default=-1)
    typed = next((at for at, each in enumerate(messages) if at > restart and each.role == "user" and each.text), 0)
    before = messages[:typed]
    if any(each.harness_only for each in before):
        before = [each.as_harness("example" if at < restart else "answer") for at, each in enumerate(before)]
    return [*before, *messages[typed:]]


def content_text(content: Json) -> str:
    """Returns the text of a content without the memory blocks that the proxy inserted."""
    return "".join(content_texts(content))


def content_texts(content: Json) -> list[str]:
    """Returns the texts of the parts of a content, without the memory blocks that the proxy inserted."""
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    parts = parts if isinstance(parts, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict) and part.get("type") in TEXT_TYPES)
    return [storable_text(strip_memory_blocks(text)) for text in texts if isinstance(text, str)]


def attachment_kinds(content: Json) -> tuple[str, ...]:
    parts = content if isinstance(content, list) else []
    types = [part.get("type") for part in parts if isinstance(part, dict) and part.get("type") not in TEXT_TYPES]
    kinds = [ATTACHMENT_KINDS.get(kind, kind) for kind in types if isinstance(kind, str)]
    return tuple(kind for kind in kinds if kind in ("image", "audio", "document"))


def storable_text(text: str) -> str:
    """Replaces what a store cannot keep: NUL and lone surrogates."""
    return text.translate(NUL_REPLACEMENT).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def digest(value: Json) -> str:
    return blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=16).hexdigest()


def _key(role: str, text: str, attachments: tuple[str, ...], calls: tuple[Json, ...], call_id: str | None) -> str:
    return digest([role, "".join(text.split()), attachments, [call.get("id") for call in calls], call_id])


def insert_before_typed(content: Json, block: str, kind: str) -> Json:
    """Inserts a block directly before what the person typed: a part before the first part with typed text, or a passage
    of a plain text."""
    if not isinstance(content, list):
        text = content if isinstance(content, str) else ""
        at = _typed_start(text)
        return f"{text[:at]}{block}\n\n{text[at:]}" if text else block
    typed = (at for at, part in enumerate(content) if get_text(part, "type") in TEXT_TYPES and _has_typed(part))
    others = (at for at, part in enumerate(content) if get_text(part, "type") != "tool_result")  # results stay first
    first = next(typed, next(others, len(content)))
    return [*content[:first], {"type": kind, "text": block}, *content[first:]]


def _has_typed(part: Json) -> bool:
    return bool(join_typed(split_harness(get_text(part, "text"))))


def _typed_start(text: str) -> int:
    """Returns the index at which the typed text begins, after the client program's text."""
    start = 0
    for piece in split_harness(text):
        if piece.harness is None and piece.text.strip():
            return start + len(piece.text) - len(piece.text.lstrip()) if start else 0
        start += len(piece.text)
    return 0


def positive_int(body: dict[str, Json], name: str) -> int:
    """Returns 0 if the field is missing or not a positive integer."""
    value = get_path(body, name)
    return value if type(value) is int and value > 0 else 0
