"""Erasures: the request, the report, and the verification."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

ErasureTarget = Literal["message", "conversation", "fact", "before", "everything", "edit"]


@dataclass(frozen=True, slots=True)
class ErasureCount:
    """So many records of a kind, and why they went, are made anew, or stayed."""

    kind: str
    count: int
    reason: str


@dataclass(frozen=True, slots=True)
class Erasure:
    """What forgetting did, or with `dry_run` would do. Nothing of what was forgotten is in it.

    `pending` is what of the store's files may still hold old bytes; it is scrubbed in the background.
    """

    id: str
    space: str
    at: datetime
    target: ErasureTarget
    erased: tuple[ErasureCount, ...] = ()
    recomputed: tuple[ErasureCount, ...] = ()
    kept: tuple[ErasureCount, ...] = ()
    pending: tuple[str, ...] = ()
    dry_run: bool = False

    @property
    def complete(self) -> bool:
        """Whether no byte of it is left in the store's files."""
        return not self.pending


@dataclass(frozen=True, slots=True)
class TraceLocation:
    """Where a text, or a word of it, still is: a column and a row's key, or a file and an offset in it."""

    where: str
    at: str
    what: Literal["text", "word"]


@dataclass(frozen=True, slots=True)
class Verification:
    """Where a text was looked for, and where it is. `words` counts the words of it that no message has any more."""

    found: tuple[TraceLocation, ...]
    tables: tuple[str, ...]
    files: tuple[str, ...]
    bytes: int
    words: int

    @property
    def clean(self) -> bool:
        return not self.found


# What forgetting is asked for.


@dataclass(frozen=True, slots=True)
class ErasureRequest:
    """One thing to forget: a message, a conversation or a fact by `id`, all messages from before a moment, or
    everything. `erasure` is the id of its record. `marks` are of what an edited message still says: what was pinned of
    that, and removed, stays known."""

    target: ErasureTarget
    erasure: str
    at: datetime
    id: str | None = None
    before: datetime | None = None
    marks: tuple[str, ...] = ()
