"""Erasures: the request, the report, and the verification."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from aforesaid.models.item import Namespace
from aforesaid.models.value import Value

ErasureTarget = Literal["message", "conversation", "fact", "before", "everything", "edit", "expired", "items"]


@dataclass(frozen=True, slots=True)
class ErasureCount(Value):
    """The number of records of a kind that were erased, recomputed or kept, and the reason."""

    kind: str
    count: int
    reason: str


@dataclass(frozen=True, slots=True)
class Erasure(Value):
    """The record of an erasure, or with `dry_run` its preview. It never contains the erased text. `pending` names the
    files that can still contain erased bytes; a background job scrubs them."""

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
        """Returns True if the files contain no erased bytes."""
        return not self.pending


@dataclass(frozen=True, slots=True)
class TraceLocation(Value):
    """A place where a text, or one of its words, still occurs: a column and a row key, or a file and an offset."""

    where: str
    at: str
    what: Literal["text", "word"]


@dataclass(frozen=True, slots=True)
class Verification(Value):
    """The searched tables and files, and the traces found there. `words` counts the words that no message contains."""

    found: tuple[TraceLocation, ...]
    tables: tuple[str, ...]
    files: tuple[str, ...]
    bytes: int
    words: int

    @property
    def clean(self) -> bool:
        return not self.found


@dataclass(frozen=True, slots=True)
class ErasureRequest:
    """The target of an erasure: a message, a conversation or a fact by `id`, the items of a `namespace` and below it or
    the one with the key `id`, everything before a time, everything, or what has expired. `erasure` is the id of its
    record. `marks` are the pin marks of an edited message that stay. `same_words`: also what else states the words of
    the message or fact."""

    target: ErasureTarget
    erasure: str
    at: datetime
    id: str | None = None
    before: datetime | None = None
    marks: tuple[str, ...] = ()
    namespace: Namespace = ()
    same_words: bool = False
