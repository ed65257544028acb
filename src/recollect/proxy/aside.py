"""What memory adds to a request: one block of quoted data, before the words that are being answered."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from recollect import Conversation, Space
from recollect.errors import NotFound

LEAST = 64  # tokens; in fewer, nothing fits
MOST = 1000  # asides that are kept


@dataclass(frozen=True, slots=True)
class Aside:
    """What is shown, and the receipt of the context that it was made of."""

    text: str
    receipt: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What is being answered: the message's id, its words, and the seq from which on the caller sends the history.
    `begun`: the answer has begun with calls of tools."""

    id: str | None
    words: str
    since: int
    begun: bool


class Asides:
    """Makes asides. While the same message is answered in a loop of tool calls, the aside stays the same: a provider
    serves what stands before it, and the aside itself, from its cache. Safe to share by threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, str], Aside] = OrderedDict()
        self._lock = Lock()

    def make(self, space: Space, chat: Conversation, question: Question, tokens: int) -> Aside:
        if tokens < LEAST:
            return Aside("")
        key = None if question.id is None else (chat.space, chat.id, question.id)
        known = self._known(space, key) if key and question.begun else None
        if known is None:
            known = _made(chat, question, tokens)
            if key:
                self._keep(key, known)
        return known

    def _known(self, space: Space, key: tuple[str, str, str]) -> Aside | None:
        """An aside that was made before, unless something in it was forgotten since: then its receipt is gone."""
        with self._lock:
            found = self._kept.get(key)
        if found is None or found.receipt is None:
            return None
        try:
            space.receipt(found.receipt)
        except NotFound:
            return None
        return found

    def _keep(self, key: tuple[str, str, str], aside: Aside) -> None:
        with self._lock:
            self._kept[key] = aside
            self._kept.move_to_end(key)
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)


def _made(chat: Conversation, question: Question, tokens: int) -> Aside:
    words = question.words if question.words.strip() else None
    context = chat.context(words, since=question.since, max_tokens=tokens)
    return Aside("\n\n".join(turn.text for turn in context.turns), context.receipt.id)
