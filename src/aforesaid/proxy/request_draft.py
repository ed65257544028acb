"""A request while the proxy rewrites it: which part of the history is sent, and where the memory block goes. Pure.

Only user messages change: each has the block of memory that it was first sent with. If the model's window is known,
whole turns are removed from the start, half of the history at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
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
    add `tokens`. `blocks` is the number of inserted blocks. `previous` are turns that the client did not send, to be
    inserted before the question, and `previous_ids` their ids."""

    wire_format: WireFormat
    body: RequestJson
    items: list[Json]
    messages: list[ChatMessage]
    tokens: int
    first_sent: int = 0
    previous: tuple[Json, ...] = ()
    previous_ids: tuple[str, ...] = ()
    blocks: int = 0

    @property
    def question(self) -> int | None:
        """The index in `messages` of the message to answer: the newest one with something that the person typed, else
        the newest of the user."""
        users = [at for at in self.turns if not self.messages[at].harness_only]
        return max(users or self.turns, default=None)

    @property
    def turns(self) -> list[int]:
        """The indexes in `messages` of the user's messages that are sent."""
        users = (at for at, message in enumerate(self.messages) if message.role == "user" and self.sends(at))
        return [at for at in users if self.wire_format.starts_turn(self.items[self.messages[at].item])]

    def sends(self, at: int) -> bool:
        """Returns True if a message is sent: it fits into the model's window."""
        return self.messages[at].item >= self.first_sent

    @property
    def is_single_message(self) -> bool:
        """True if the request has only the newest message: the client keeps no history."""
        return len(self.messages) == 1 and self.question == 0

    def after(self, turns: Sequence[Message], mask: Callable[[str], str]) -> RequestDraft:
        """Inserts turns before the question. All wire formats accept this shape."""
        tokens = self.tokens - sum(message.tokens + MESSAGE_OVERHEAD for message in turns)
        items = tuple({"role": message.role, "content": mask(_sent_text(message))} for message in turns)
        ids = tuple(message.id for message in turns)
        return replace(self, previous=items, previous_ids=ids, tokens=max(0, tokens))

    def within(self, window: int | None) -> RequestDraft:
        """Removes the oldest turns that do not fit into the model's window. None means unknown: removes nothing."""
        if window is None:
            return self
        free = history_tokens(window, self.body, self.wire_format)
        tokens = max(0, min(self.tokens, free // MEMORY_SHARE))
        return replace(self, tokens=tokens, first_sent=first_item_sent(self.items, self.wire_format, free - tokens))

    def with_blocks(self, blocks: Mapping[int, str]) -> RequestDraft:
        """Inserts blocks of memory before the typed text of messages, by their indexes."""
        items = list(self.items)
        for at, block in blocks.items():
            item = self.messages[at].item
            items[item] = self.wire_format.inject(items[item], block)
        return replace(self, items=items, blocks=self.blocks + len(blocks))

    def written(self) -> bytes | None:
        """Returns the body, or None if nothing changes."""
        if not (self.first_sent or self.previous or self.blocks):
            return None
        items, question = list(self.items), self.question
        if question is not None:
            answered = self.messages[question].item
            items[answered:answered] = self.previous
        is_instruction = self.wire_format.is_instruction
        sent = [item for at, item in enumerate(items) if at >= self.first_sent or is_instruction(item)]
        return json.dumps(self.wire_format.with_items(self.body, sent)).encode()


def _sent_text(message: Message) -> str:
    return neutralize(message.text) if message.metadata.get("imported") else message.text


def make_draft(wire: ApiFormat, body: RequestJson, tokens: int) -> RequestDraft:
    wire_format = WIRE_FORMATS[wire]
    items = wire_format.items(body)
    messages = wire_format.parse_items(items, wire_format.instructions(body))
    return RequestDraft(wire_format, body, items, messages, tokens)
