"""A message of a request, as it would be stored, whatever the wire."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from recollect import own_words
from recollect.models import Json, Message, Role, text_of

CLEAN = {0: "\ufffd"}
OTHERS = {"image_url": "image", "input_image": "image", "input_audio": "audio", "file": "document"} | {
    "input_file": "document"
}
WORDS = ("text", "input_text", "output_text")


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody said. `others` are the kinds of what was sent beside words: the kind is kept, not the bytes.
    `item` is its place in the request."""

    role: Role
    text: str = ""
    others: tuple[str, ...] = ()
    calls: tuple[Mapping[str, Json], ...] = ()
    call_id: str | None = None
    item: int = field(default=0, compare=False)

    @property
    def empty(self) -> bool:
        return not (self.text.strip() or self.others or self.calls or self.call_id)

    @property
    def key(self) -> str:
        """The same for what says the same. Clients trim and wrap: white space does not count."""
        return _key(self.role, self.text, self.others, self.calls, self.call_id)

    def id(self, anchor: str) -> str:
        """The id of this after the message `anchor`: whoever sends the same again finds it stored."""
        return f"said-{digest([anchor, self.key])}"

    def record(self) -> dict[str, Json]:
        words = [{"type": "text", "text": self.text}] if self.text.strip() else []
        content = [*words, *({"type": kind} for kind in self.others)] if self.others else self.text
        made: dict[str, Json] = {"role": self.role, "content": content}
        if self.calls:
            made["tool_calls"] = [dict(call) for call in self.calls]
        if self.call_id is not None:
            made["tool_call_id"] = self.call_id
        return made


def key_of(message: Message) -> str:
    """The key of what is stored."""
    others = () if isinstance(message.content, str) else _kinds(message.content)
    words = message.text if isinstance(message.content, str) else text_of(message.content)
    return _key(message.role, words, others, tuple(message.tool_calls or ()), message.tool_call_id)


def words_of(content: Json) -> str:
    """The words of a content, without what recollect itself put among them."""
    if isinstance(content, str):
        return kept(own_words(content))
    parts = content if isinstance(content, list) else []
    said = [part["text"] for part in parts if isinstance(part, dict) and _is_words(part)]
    return "".join(filter(None, (kept(own_words(text)) for text in said)))


def others_of(content: Json) -> tuple[str, ...]:
    """The kinds of what a content has beside words."""
    return _kinds(content) if isinstance(content, list) else ()


def kept(text: str) -> str:
    """The text as a store can keep it: no NUL, no half of a character."""
    return text.translate(CLEAN).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def digest(value: Json) -> str:
    """A short name for a value."""
    return blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=16).hexdigest()


def _is_words(part: Mapping[str, Json]) -> bool:
    return part.get("type") in WORDS and isinstance(part.get("text"), str)


def _kinds(parts: list[Json]) -> tuple[str, ...]:
    kinds = [part.get("type") for part in parts if isinstance(part, dict) and part.get("type") not in WORDS]
    named = [OTHERS.get(kind, kind) for kind in kinds if isinstance(kind, str)]
    return tuple(kind for kind in named if kind in ("image", "audio", "document"))


def _key(role: str, text: str, others: tuple[str, ...], calls: tuple[Json, ...], call_id: str | None) -> str:
    asked = [call.get("id") for call in calls]
    return digest([role, "".join(text.split()), others, asked, call_id])
