"""The change feed of a space."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, overload

ChangeKind = Literal[
    "space", "conversation", "message", "pin", "summary", "fact", "episode", "consent", "profile", "setting", "erasure"
]
ChangeAction = Literal["added", "changed", "removed"]


@dataclass(frozen=True, slots=True)
class Change:
    """That something of a space was added, changed or removed; nothing of what it says.

    `number` rises within the space. `record` is the id of what it is; None where that is gone by now, and for what a
    space has one of (consent, profile, settings). Of a conversation that went not even its own id is left.
    """

    number: int
    kind: ChangeKind
    action: ChangeAction
    conversation: str | None = None
    record: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Changes(Sequence[Change]):
    """Changes of a space, the oldest first; `cursor` is what to go on after.

    `missed`: the cursor that was given is none of this space, or so old that not all since is kept. Read anew what you
    show, and go on after this one.
    """

    changes: tuple[Change, ...] = ()
    cursor: int = 0
    missed: bool = False

    @overload
    def __getitem__(self, index: int) -> Change: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Change, ...]: ...
    def __getitem__(self, index: int | slice) -> Change | tuple[Change, ...]:
        return self.changes[index]

    def __len__(self) -> int:
        return len(self.changes)

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)
