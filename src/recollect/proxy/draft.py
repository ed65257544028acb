"""A request on its way: what of its history goes on, and where memory's words stand. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from recollect.models import Json, Message
from recollect.proxy.budget import FRAME, first_shown, room
from recollect.proxy.said import Said
from recollect.proxy.wires.dialect import DIALECTS, Body, Dialect
from recollect.replies.listen import Wire

SHARE = 4  # memory takes at most a quarter of what a window has for the history


@dataclass(frozen=True, slots=True)
class Draft:
    """A request in its wire's own items, and what was said in it. Items before `shown` stay here; `tokens` is what
    memory may add. `before` are turns that the client did not send, and that come before what is answered."""

    dialect: Dialect
    body: Body
    items: list[Json]
    said: list[Said]
    tokens: int
    shown: int = 0
    before: tuple[Json, ...] = ()

    @property
    def answered(self) -> int | None:
        """The place of the item that is being answered: the newest words of the user."""
        places = range(self.shown, len(self.items))
        return max((at for at in places if self.dialect.opens(self.items[at])), default=None)

    @property
    def question(self) -> int | None:
        """Which of what was said that is."""
        found = [at for at, one in enumerate(self.said) if one.item == self.answered and one.role == "user"]
        return found[-1] if found else None

    @property
    def alone(self) -> bool:
        """Whether it has nothing but the newest words: the client keeps no history."""
        return len(self.said) == 1 and self.said[0].role == "user" and self.question == 0

    def after(self, turns: Sequence[Message], mask: Callable[[str], str]) -> Draft:
        """The request with turns before what is answered. Every wire takes them in this shape."""
        spent = sum(message.tokens + FRAME for message in turns)
        items = tuple({"role": message.role, "content": mask(message.text)} for message in turns)
        return replace(self, before=items, tokens=max(0, self.tokens - spent))

    def within(self, window: int | None) -> Draft:
        """The request without the turns that do not fit into a model's window; whole where none is known."""
        if window is None:
            return self
        free = room(window, self.body, self.dialect)
        tokens = max(0, min(self.tokens, free // SHARE))
        return replace(self, tokens=tokens, shown=first_shown(self.items, self.dialect, free - tokens))

    def written(self, aside: str) -> bytes | None:
        """The body with the aside before the words that are answered; None where it is as it came."""
        answered = self.answered
        if not self.shown and not self.before and (not aside or answered is None):
            return None
        items = list(self.items)
        if aside and answered is not None:
            items[answered] = self.dialect.beside(items[answered], aside)
        if answered is not None:
            items[answered:answered] = self.before
        sent = [item for at, item in enumerate(items) if at >= self.shown or self.dialect.leads(item)]
        return json.dumps(self.dialect.put(self.body, sent)).encode()


def draft(wire: Wire, body: Body, tokens: int) -> Draft:
    dialect = DIALECTS[wire]
    items = dialect.items(body)
    return Draft(dialect, body, items, dialect.said(items), tokens)
