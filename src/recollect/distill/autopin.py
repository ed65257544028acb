"""Pins that nobody asked for: few, each with its reason, and never a second time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from recollect.distill.code import referred
from recollect.distill.cut import safe
from recollect.distill.reading import Reading
from recollect.distill.worthy import Worthy, guarded, worthy
from recollect.models import Pin
from recollect.ports import Clock, Messages, Pins
from recollect.records import Utterance
from recollect.settings import Settings
from recollect.text.scripts import fold

STEP = "pins"
MOST = 5  # automatic pins of a conversation: each stands in every context, and a new one changes its stable beginning
LOOKBACK = 40  # messages before the unread ones, among which code is looked for that they speak of


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
            standing = {_mark(pin.content) for pin in self._pins.list(space, conversation, None)}
            for found in self._worthy(space, conversation, unread.said):
                mark = _mark(found.text)
                if mark not in standing:
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


def _mark(text: str) -> str:
    """A digest of the words, whatever their case and spacing: enough to know them again, not to read them."""
    return hashlib.blake2b(" ".join(fold(safe(text)).split()).encode(), digest_size=16).hexdigest()
