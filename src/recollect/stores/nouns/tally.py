"""What an erasure finds to go, and what it counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from recollect.models import Portion

DERIVED = "made from it"
ANEW = "withdrawn; made anew from the messages that remain"


@dataclass(frozen=True, slots=True)
class Doomed:
    """A message that goes."""

    key: int
    conversation: int
    seq: int
    id: str
    role: str
    text: str
    tokens: int
    first_chunk: int | None
    last_chunk: int | None


@dataclass(slots=True)
class Tally:
    """Grows while an erasure goes on. `ids` are of everything that went: whoever quotes one of them goes too.
    `again` are the conversations of which something has to be made anew; `told` says with which seq the first of their
    episodes begins that has."""

    erased: Counter[tuple[str, str]] = field(default_factory=Counter)
    recomputed: Counter[tuple[str, str]] = field(default_factory=Counter)
    kept: Counter[tuple[str, str]] = field(default_factory=Counter)
    ids: set[str] = field(default_factory=set)
    again: set[int] = field(default_factory=set)
    told: dict[int, int] = field(default_factory=dict)

    def portions(self) -> tuple[tuple[Portion, ...], tuple[Portion, ...], tuple[Portion, ...]]:
        """What was erased, what is made anew, what was kept."""
        return _portions(self.erased), _portions(self.recomputed), _portions(self.kept)


def _portions(counted: Mapping[tuple[str, str], int]) -> tuple[Portion, ...]:
    return tuple(Portion(kind, count, reason) for (kind, reason), count in sorted(counted.items()) if count)


@dataclass(frozen=True, slots=True)
class Scope:
    """What goes: messages of a space, and the conversations (by key, with their ids) that go as a whole. Everything
    that was made before `before` goes too. `said` is what a message that is edited says instead: pins of that stay, and
    so do the `marks` of it."""

    space_key: int
    messages: tuple[Doomed, ...] = ()
    conversations: Mapping[int, str] = field(default_factory=dict)
    before: int | None = None
    everything: bool = False
    said: str = ""
    marks: tuple[str, ...] = ()

    @property
    def keys(self) -> set[int]:
        return {message.key for message in self.messages}
