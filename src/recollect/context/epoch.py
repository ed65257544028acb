"""Where the history begins. It grows for an epoch, and then is cut in one big step.

A pure function of the log: no state is kept. A message's place is the sum of the tokens before it, which never
changes; the history begins at a multiple of the step that only moves on when its end has passed the high-water mark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect.context.cost import estimate
from recollect.context.groups import Group
from recollect.models import Message


@dataclass(frozen=True, slots=True)
class Marks:
    """How many tokens of history there may be, and how many are left when it is cut."""

    high: int
    low: int

    @property
    def step(self) -> int:
        return max(1, self.high - self.low)


def cut(end: int, marks: Marks) -> int:
    """The place before which nothing is shown. From there to `end` it is more than low and at most high."""
    if end <= marks.high:
        return 0
    return marks.step * -(-(end - marks.high) // marks.step)


def places(messages: Sequence[Message], end: int) -> dict[str, int]:
    """The place of each message, by id: what comes before it costs so much. `end` is the place after the last one,
    so nothing before the first has to be read."""
    found: dict[str, int] = {}
    for message in reversed(messages):
        end -= estimate(message)
        found[message.id] = end
    return found


def begin(groups: Sequence[Group], place: Mapping[str, int], start: int) -> int:
    """The index of the first group at `start` or after it, where a turn begins if there is one."""
    if start == 0:
        return 0
    at = next((index for index, group in enumerate(groups) if place[group.messages[0].id] >= start), len(groups))
    return turn_from(groups, at)


def turn_from(groups: Sequence[Group], at: int) -> int:
    """The first group from here on with which a user's turn begins; `at` itself where there is none."""
    return next((index for index in range(at, len(groups)) if groups[index].opens_a_turn), at)
