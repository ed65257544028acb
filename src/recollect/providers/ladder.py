"""Ways of asking for JSON, the surest first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from recollect.ports import Completion
from recollect.providers.status import NotUnderstood

Way = str


class Ladder:
    """Goes on to the next way where a service does not understand one, and begins with the one that worked."""

    def __init__(self, ways: Sequence[Way]) -> None:
        self._ways = tuple(ways)
        self._first = 0

    async def down(self, ask: Callable[[Way], Awaitable[Completion]]) -> Completion:
        first = self._first
        for step, way in enumerate(self._ways[first:-1], first):
            try:
                answer = await ask(way)
            except NotUnderstood:
                continue
            self._first = step
            return answer
        answer = await ask(self._ways[-1])
        self._first = len(self._ways) - 1
        return answer
