"""Messages of requests in one form for all wire formats. A content is a text or a list of parts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from aforesaid import strip_memory_blocks
from aforesaid.models.json import Json
from aforesaid.models.message import Message, Role, text_of
from aforesaid.replies.json_path import get_path, get_text

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
    """`attachments` are the kinds of content other than text: the kind is stored, not the bytes. `item` is the index of
    the message's item in the request."""

    role: Role
    text: str = ""
    attachments: tuple[str, ...] = ()
    calls: tuple[Mapping[str, Json], ...] = ()
    call_id: str | None = None
    item: int = field(default=0, compare=False)

    @property
    def empty(self) -> bool:
        return not (self.text.strip() or self.attachments or self.calls or self.call_id)

    @property
    def key(self) -> str:
        """Equal for equal messages. Ignores white space, because clients trim and wrap."""
        return _key(self.role, self.text, self.attachments, self.calls, self.call_id)

    def id(self, anchor: str) -> str:
        """Returns the message's id after the message `anchor`. The same for a repeated message."""
        return f"said-{digest([anchor, self.key])}"

    def record(self) -> dict[str, Json]:
        text = [{"type": "text", "text": self.text}] if self.text.strip() else []
        content = [*text, *({"type": kind} for kind in self.attachments)] if self.attachments else self.text
        record: dict[str, Json] = {"role": self.role, "content": content}
        if self.calls:
            record["tool_calls"] = [dict(call) for call in self.calls]
        if self.call_id is not None:
            record["tool_call_id"] = self.call_id
        return record


def message_key(message: Message) -> str:
    """Returns the `ChatMessage.key` of a stored message."""
    attachments = () if isinstance(message.content, str) else attachment_kinds(message.content)
    text = message.text if isinstance(message.content, str) else text_of(message.content)
    return _key(message.role, text, attachments, tuple(message.tool_calls or ()), message.tool_call_id)


def content_text(content: Json) -> str:
    """Returns the text of a content without the memory blocks that the proxy inserted."""
    if isinstance(content, str):
        return storable_text(strip_memory_blocks(content))
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict) and part.get("type") in TEXT_TYPES)
    return "".join(storable_text(strip_memory_blocks(text)) for text in texts if isinstance(text, str))


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


def insert_before_text(content: Json, block: str, kind: str) -> Json:
    """Inserts a block before the text, and after tool results, which must stay first."""
    if not isinstance(content, list):
        return f"{block}\n\n{content}" if isinstance(content, str) and content else block
    first = next((at for at, part in enumerate(content) if get_text(part, "type") != "tool_result"), len(content))
    return [*content[:first], {"type": kind, "text": block}, *content[first:]]


def positive_int(body: dict[str, Json], name: str) -> int:
    """Returns 0 if the field is missing or not a positive integer."""
    value = get_path(body, name)
    return value if type(value) is int and value > 0 else 0
