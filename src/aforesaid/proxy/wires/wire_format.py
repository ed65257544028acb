"""The interface of a wire format: how the proxy reads a request and adds text to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from aforesaid.models.json import Json
from aforesaid.proxy.message import ChatMessage
from aforesaid.proxy.wires import chat, messages, responses
from aforesaid.replies.parser import ApiFormat

RequestJson = dict[str, Json]


class WireFormat(Protocol):
    """Accepts bodies of any shape. Does not change parts of a body that its methods do not name."""

    def items(self, body: RequestJson) -> list[Json]:
        """Returns the history in the format's own items."""

    def instructions(self, body: RequestJson) -> str:
        """Returns the application's instructions, which are not stored."""

    def parse_items(self, items: Sequence[Json]) -> list[ChatMessage]:
        """Returns the messages in order."""

    def starts_turn(self, item: Json) -> bool:
        """Returns True for a user message that is not a tool result."""

    def is_instruction(self, item: Json) -> bool:
        """Returns True for the application's items, which are always sent."""

    def inject(self, item: Json, block: str) -> Json:
        """Inserts a block before the text of an item."""

    def with_items(self, body: RequestJson, items: list[Json]) -> RequestJson:
        """Replaces the items of a body."""

    def output(self, body: RequestJson) -> int:
        """Returns the token limit of the answer, or 0."""


WIRE_FORMATS: Mapping[ApiFormat, WireFormat] = {"chat": chat, "responses": responses, "messages": messages}
