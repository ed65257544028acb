"""What the proxy has to know of a wire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from recollect.models import Json
from recollect.proxy.said import Said
from recollect.proxy.wires import chat, messages, responses
from recollect.replies.listen import Wire

Body = dict[str, Json]


class Dialect(Protocol):
    """How a request is read, and how words are put beside its newest ones. Bodies of any shape are read; what is put
    together is what was given, but for what is said here."""

    def items(self, body: Body) -> list[Json]:
        """The history in the wire's own items."""

    def opening(self, body: Body) -> str:
        """The application's own words: they are nobody's, and are not stored."""

    def said(self, items: Sequence[Json]) -> list[Said]:
        """What was said, in order."""

    def opens(self, item: Json) -> bool:
        """Whether a turn begins here: words of the user, and no result of a tool."""

    def leads(self, item: Json) -> bool:
        """Whether it is the application's, and stays where it is however long the history gets."""

    def beside(self, item: Json, aside: str) -> Json:
        """The item with an aside before its words."""

    def put(self, body: Body, items: list[Json]) -> Body:
        """The body with these items in place of its own."""

    def output(self, body: Body) -> int:
        """The tokens that are kept for the answer."""


DIALECTS: Mapping[Wire, Dialect] = {"chat": chat, "responses": responses, "messages": messages}
