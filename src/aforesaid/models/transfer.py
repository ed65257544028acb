"""Reports of imports and copies, and what the parts exchange during a transfer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

ImportFormat = Literal["chatgpt", "claude", "chat", "langchain", "mem0"]
IMPORT_FORMATS: tuple[ImportFormat, ...] = ("chatgpt", "claude", "chat", "langchain", "mem0")


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import of another program's export did, or would do.

    `messages` are new, `known` were there already, `changed` are there with other words and were left as they are.
    `facts` are new, and wait for review. `skipped` says how much was left out, by reason.
    """

    formats: tuple[ImportFormat, ...]
    conversations: int
    messages: int
    known: int
    changed: int
    facts: int
    skipped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SpaceCopy:
    """A space that is in two stores alike. `records` and `checksums` (SHA-256) are by kind of record; `written` says
    whether anything had to be copied."""

    space: str
    records: Mapping[str, int]
    checksums: Mapping[str, str]
    written: bool


@dataclass(frozen=True, slots=True)
class CopyReport:
    """A store that was copied: all of its spaces, those of them that were there already, its keys, and all records by
    their kind."""

    spaces: int
    unchanged: int
    keys: int
    records: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CopyRecord:
    """How a space was when it was last copied into a store, by kind of record; None: that was begun and not ended."""

    digests: Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class SourceIds:
    """The ids of what something was made from."""

    messages: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
