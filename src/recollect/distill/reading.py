"""How a step goes through a conversation: what it has not read yet, a stretch at a time, each message once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recollect.ports import Messages, Reached, Spaces
from recollect.records import Revision, Utterance

STRETCH = 200  # messages read at once


@dataclass(frozen=True, slots=True)
class Stretch:
    """Messages in a row, never none. What is made from them is to be refused where the space is not as `seen`."""

    said: Sequence[Utterance]
    seen: Revision


class Reading:
    """Goes on where `step` stopped. A stretch counts as read when the next one is asked for, and is read again where a
    message has left or was changed meanwhile."""

    def __init__(self, sources: tuple[Spaces, Messages, Reached], step: str) -> None:
        self._spaces, self._messages, self._progress = sources
        self._step = step

    def unread(self, space: str, conversation: str) -> Iterator[Stretch]:
        while stretch := self._next(space, conversation):
            yield stretch
            self._progress.advance(space, conversation, self._step, stretch.said[-1].seq, stretch.seen)

    def _next(self, space: str, conversation: str) -> Stretch | None:
        seen = self._spaces.revision(space)
        reached = self._progress.reached(space, conversation, self._step)
        said = self._messages.utterances(space, conversation, reached, STRETCH)
        return Stretch(said, seen) if said and seen is not None else None
