"""A request while the proxy rewrites it: which part of the history is sent, and where the memory block goes. Pure.

Only the newest user message changes; everything before it is what the client sent. If the model's window is known,
whole turns are removed from the start, half of the history at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from aforesaid import neutralize
from aforesaid.models.json import Json
from aforesaid.models.message import Message
from aforesaid.proxy.message import ChatMessage
from aforesaid.proxy.window import MESSAGE_OVERHEAD, first_item_sent, history_tokens
from aforesaid.proxy.wire_formats import WIRE_FORMATS, RequestJson, WireFormat
from aforesaid.replies.parser import ApiFormat

MEMORY_SHARE = 4  # memory gets at most a quarter of the window's history


@dataclass(frozen=True, slots=True)
class RequestDraft:
    """A request in the items of its wire format, and its messages. Items before `first_sent` are not sent. Memory may
    add `tokens`. `previous` are turns that the client did not send, to insert before the question."""

    wire_format: WireFormat
    body: RequestJson
    items: list[Json]
    messages: list[ChatMessage]
    tokens: int
    first_sent: int = 0
    previous: tuple[Json, ...] = ()

    @property
    def answered(self) -> int | None:
        """The index of the item to answer: the user's newest message."""
        indexes = range(self.first_sent, len(self.items))
        return max((at for at in indexes if self.wire_format.starts_turn(self.items[at])), default=None)

    @property
    def question(self) -> int | None:
        """The index of that message in `messages`."""
        answered = self.answered
        user = (at for at, message in enumerate(self.messages) if message.item == answered and message.role == "user")
        return max(user, default=None)

    @property
    def is_single_message(self) -> bool:
        """True if the request has only the newest message: the client keeps no history."""
        return len(self.messages) == 1 and self.messages[0].role == "user" and self.question == 0

    def after(self, turns: Sequence[Message], mask: Callable[[str], str]) -> RequestDraft:
        """Inserts turns before the question. All wire formats accept this shape."""
        tokens = self.tokens - sum(message.tokens + MESSAGE_OVERHEAD for message in turns)
        items = tuple({"role": message.role, "content": mask(_sent_text(message))} for message in turns)
        return replace(self, previous=items, tokens=max(0, tokens))

    def within(self, window: int | None) -> RequestDraft:
        """Removes the oldest turns that do not fit into the model's window. None means unknown: removes nothing."""
        if window is None:
            return self
        free = history_tokens(window, self.body, self.wire_format)
        tokens = max(0, min(self.tokens, free // MEMORY_SHARE))
        return replace(self, tokens=tokens, first_sent=first_item_sent(self.items, self.wire_format, free - tokens))

    def written(self, block: str) -> bytes | None:
        """Returns the body with the memory block before the question, or None if nothing changes."""
        answered = self.answered
        if not self.first_sent and not self.previous and (not block or answered is None):
            return None
        items = list(self.items)
        if answered is not None:
            if block:
                items[answered] = self.wire_format.inject(items[answered], block)
            items[answered:answered] = self.previous
        is_instruction = self.wire_format.is_instruction
        sent = [item for at, item in enumerate(items) if at >= self.first_sent or is_instruction(item)]
        return json.dumps(self.wire_format.with_items(self.body, sent)).encode()


def _sent_text(message: Message) -> str:
    return neutralize(message.text) if message.metadata.get("imported") else message.text


def make_draft(wire: ApiFormat, body: RequestJson, tokens: int) -> RequestDraft:
    wire_format = WIRE_FORMATS[wire]
    items = wire_format.items(body)
    return RequestDraft(wire_format, body, items, wire_format.parse_items(items), tokens)
