"""The change feed of a space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, overload

from aforesaid.models.value import Value

ChangeKind = Literal[
    "space",
    "conversation",
    "message",
    "pin",
    "summary",
    "fact",
    "episode",
    "item",
    "consent",
    "profile",
    "setting",
    "erasure",
]
ChangeAction = Literal["added", "changed", "removed"]


@dataclass(frozen=True, slots=True)
class Change(Value):
    """A record of a space was added, changed or removed. It contains no text.

    `number` increases within the space. `record` is the id of the record; None if it is deleted, and for kinds that a
    space has only once (consent, profile, settings). A deleted conversation has no id either. That of an item is a JSON
    list: its namespace and its key.
    """

    number: int
    kind: ChangeKind
    action: ChangeAction
    conversation: str | None = None
    record: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Changes(Value, Sequence[Change]):
    """Changes of a space, the oldest first. Pass `cursor` to the next call. `missed` is True if the given cursor is not
    of this space, or is too old, so that changes are missing. Read all records again, and continue with this cursor."""

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
