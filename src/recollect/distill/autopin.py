"""Pins that nobody asked for: few, each with its reason, and never a second time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

import regex

from recollect.distill.code import blocks, referred
from recollect.distill.cut import safe
from recollect.distill.extract.prose import sentences, voice
from recollect.distill.reading import Reading
from recollect.distill.worthy import Worthy, gist, guarded, worthy
from recollect.models import Pin
from recollect.ports import Clock, Messages, Pins
from recollect.records import Utterance
from recollect.settings import Settings
from recollect.text.scripts import fold

STEP = "pins"
MOST = 5  # automatic pins of a conversation: each stands in every context, and a new one changes its stable beginning
LOOKBACK = 40  # messages before the unread ones, among which code is looked for that they speak of

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")


class AutoPins:
    """The step that pins. What was pinned once is never pinned again, though it was removed or changed since."""

    def __init__(
        self,
        sources: tuple[Messages, Pins, Reading],
        settings: Callable[[str], Settings],
        clock: Clock,
        ids: Callable[[datetime], str],
    ) -> None:
        self._messages, self._pins, self._reading = sources
        self._settings = settings
        self._clock = clock
        self._ids = ids

    def look(self, space: str, conversation: str) -> None:
        if not self._settings(space).flag("auto_pins"):
            return
        for unread in self._reading.unread(space, conversation):
            known = {mark.mark for mark in self._pins.marks(space, conversation)}
            known.update(*(_marks(pin.content) for pin in self._pins.list(space, conversation, None)))
            for found in self._worthy(space, conversation, unread.said):
                exact, mark = _marks(found.text)
                if found.type == "code":
                    mark = exact
                if known.isdisjoint((exact, mark)):
                    self._pins.make(space, conversation, self._pin(found), mark, most=MOST, seen=unread.seen)

    def _worthy(self, space: str, conversation: str, unread: Sequence[Utterance]) -> Iterator[Worthy]:
        now = self._clock()
        for one in unread:
            yield from worthy(one, now)
        before = self._messages.utterances(space, conversation, unread[0].seq - LOOKBACK - 1, LOOKBACK)
        window = [*(one for one in before if one.seq < unread[0].seq), *unread]
        for message, code, name in referred(window):
            if not guarded(message.text):
                yield Worthy(code, f"code that is spoken of: {name}", 0.6, "code", message)

    def _pin(self, found: Worthy) -> Pin:
        now = self._clock()
        return Pin(self._ids(now), safe(found.text), found.importance, found.type, found.message.id, now, found.reason)


def said_again(text: str) -> frozenset[str]:
    """The marks of all that a message says and that may have been pinned: what was removed is known by them."""
    own = (text[one.start : one.start + len(one.text)] for one in sentences(voice(text)))
    return frozenset(mark for words in (*own, *blocks(text)) for mark in _marks(words))


def _marks(text: str) -> tuple[str, str]:
    """Digests of a text, whatever its case and spacing, and of what it says, however that is asked for: enough to know
    it again, not to read it."""
    exact = " ".join(fold(safe(text)).split())
    words = " ".join(_WORD.findall(fold(safe(gist(text)))))
    return _digest(exact), _digest(words or exact)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
