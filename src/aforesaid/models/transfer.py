"""Reports of imports and copies, and what the parts exchange during a transfer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from aforesaid.models.value import Value

ImportFormat = Literal[
    "chatgpt", "claude", "chat", "langchain", "mem0", "claude-code", "codex", "openwebui", "librechat", "telegram",
    "whatsapp", "slack", "discord", "letta", "zep", "sharegpt", "gemini", "llm", "pydantic-ai", "langmem",
]  # fmt: skip
IMPORT_FORMATS: tuple[ImportFormat, ...] = get_args(ImportFormat)


@dataclass(frozen=True, slots=True)
class ImportReport(Value):
    """The report of an import from another program, or its preview.

    `messages` counts new messages, `known` stored ones, and `changed` stored ones with other content, which stay as
    they are. `facts` counts new facts, which need a review. `skipped` counts omitted records by reason.
    """

    formats: tuple[ImportFormat, ...]
    conversations: int
    messages: int
    known: int
    changed: int
    facts: int
    skipped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SpaceCopy(Value):
    """The report of one copied space, which is now the same in both stores. `records` and `checksums` (SHA-256) are by
    kind of record; `written` is False if there was nothing to copy."""

    space: str
    records: Mapping[str, int]
    checksums: Mapping[str, str]
    written: bool


@dataclass(frozen=True, slots=True)
class CopyReport(Value):
    """The report of a copied store: its spaces, those that were already the same, its keys, and its records by kind."""

    spaces: int
    unchanged: int
    keys: int
    records: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CopyRecord:
    """The digests of a space at its last copy, by kind of record; None if the copy did not finish."""

    digests: Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class SourceIds:
    """The ids of the sources of a derived record."""

    messages: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
