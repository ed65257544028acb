"""What a message costs: the one rule by which every token of a context is counted.

OpenAI's published rule for chat requests: 3 tokens a message, its role, its content, and for a name its tokens and
one more; 3 for the beginning of the reply. Where nothing is published: a tool call costs 3 and its name and arguments,
an image what the largest one costs, any other part its JSON. Ids are free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from recollect.context.turn import Call, Turn, turn
from recollect.models import ROLES, Json, Message
from recollect.text.accept import written

MESSAGE = 3
REPLY = 3
NAME = 1
CALL = 3
IMAGE, SMALL_IMAGE = 1105, 85  # a 2048 × 4096 picture at high detail; any picture at low detail
ESTIMATE = 4  # a message's own cost beside its stored tokens: 3 and the role


class Costs:
    """Counts turns and messages; each message once, however often it is asked for."""

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count
        self._known: dict[str, int] = {}
        self._roles = {role: count(role) for role in ROLES}

    def text(self, text: str) -> int:
        return self._count(text) if text else 0

    def message(self, message: Message) -> int:
        if message.id not in self._known:
            self._known[message.id] = self.turn(turn(message))
        return self._known[message.id]

    def messages(self, messages: Iterable[Message]) -> int:
        return sum(map(self.message, messages))

    def turn(self, turn: Turn) -> int:
        content = sum(map(self._part, turn.parts)) if turn.parts else self.text(turn.text)
        name = self.text(turn.name) + NAME if turn.name else 0
        return MESSAGE + self._roles[turn.role] + content + name + sum(map(self._call, turn.calls))

    def _call(self, call: Call) -> int:
        return CALL + self.text(call.name) + self.text(call.arguments)

    def _part(self, part: Mapping[str, Json]) -> int:
        if part["type"] == "text":
            return self.text(part["text"])
        if part["type"] == "image_url":
            image = part.get("image_url")
            return SMALL_IMAGE if isinstance(image, Mapping) and image.get("detail") == "low" else IMAGE
        return self.text(written(part))


def estimate(message: Message) -> int:
    """A message's cost from what is stored with it, without counting again."""
    return message.tokens + ESTIMATE
