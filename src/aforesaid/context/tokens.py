"""Counts the tokens of chat messages. Every token of a context is counted by this rule.

OpenAI's published rule for chat requests: 3 tokens for each message, plus its role, its content, and for a name its
tokens and one more; 3 for the start of the reply. Where nothing is published, a tool call costs 3 plus its name and
arguments, an image costs as much as the largest one, and any other part costs its JSON. Ids are free."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from aforesaid.context.turn import ChatTurn, ToolCall, to_turn
from aforesaid.models.json import Json
from aforesaid.models.message import ROLES, Message
from aforesaid.text.validate import compact_json

MESSAGE_TOKENS = 3
REPLY_TOKENS = 3
NAME_TOKENS = 1
CALL_TOKENS = 3
IMAGE, SMALL_IMAGE = 1105, 85  # a 2048 × 4096 picture at high detail; any picture at low detail
MESSAGE_OVERHEAD = 4  # tokens of a message besides its stored tokens: 3 and the role


class TokenCounter:
    """Counts the tokens of turns and messages, each text once."""

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count
        self._known: dict[str, int] = {}
        self._texts: dict[str, int] = {}
        self._roles = {role: count(role) for role in ROLES}

    def text(self, text: str) -> int:
        tokens = self._texts.get(text)
        if tokens is None:
            tokens = self._texts[text] = self._count(text) if text else 0
        return tokens

    def message(self, message: Message) -> int:
        tokens = self._known.get(message.id)
        if tokens is None:
            tokens = self._known[message.id] = self.turn(to_turn(message))
        return tokens

    def messages(self, messages: Iterable[Message]) -> int:
        return sum(map(self.message, messages))

    def turn(self, turn: ChatTurn) -> int:
        content = sum(map(self._part, turn.parts)) if turn.parts else self.text(turn.text)
        name = self.text(turn.name) + NAME_TOKENS if turn.name else 0
        return MESSAGE_TOKENS + self._roles[turn.role] + content + name + sum(map(self._call, turn.calls))

    def _call(self, call: ToolCall) -> int:
        return CALL_TOKENS + self.text(call.name) + self.text(call.arguments)

    def _part(self, part: Mapping[str, Json]) -> int:
        if part["type"] == "text":
            return self.text(part["text"])
        if part["type"] == "image_url":
            image = part.get("image_url")
            return SMALL_IMAGE if isinstance(image, Mapping) and image.get("detail") == "low" else IMAGE
        return self.text(compact_json(part))


def estimate_tokens(message: Message) -> int:
    """The tokens of a message by its stored count, without counting again."""
    return message.tokens + MESSAGE_OVERHEAD
