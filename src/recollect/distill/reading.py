"""How a step goes through a conversation: what it has not read yet, a stretch at a time, each message once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recollect.ports import Messages, Reached
from recollect.records import Utterance

STRETCH = 200  # messages read at once


class Reading:
    """Goes on where `step` stopped. A stretch counts as read when the next one is asked for."""

    def __init__(self, messages: Messages, progress: Reached, step: str) -> None:
        self._messages = messages
        self._progress = progress
        self._step = step

    def unread(self, space: str, conversation: str) -> Iterator[Sequence[Utterance]]:
        while stretch := self._next(space, conversation):
            yield stretch
            self._progress.advance(space, conversation, self._step, stretch[-1].seq)

    def _next(self, space: str, conversation: str) -> Sequence[Utterance]:
        reached = self._progress.reached(space, conversation, self._step)
        return self._messages.utterances(space, conversation, reached, STRETCH)
