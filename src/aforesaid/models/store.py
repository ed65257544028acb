"""The state of a store: status, readiness, checks, and backups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from aforesaid.models.value import Value


@dataclass(frozen=True, slots=True)
class EmbeddingModel(Value):
    """An embedding model of the store, and the number of its vectors. `state` is serving, building or retired."""

    name: str
    dimension: int
    state: str
    embedded: int
    expected: int


@dataclass(frozen=True, slots=True)
class Status(Value):
    """The number of records in the store, and its jobs by state."""

    spaces: int
    conversations: int
    messages: int
    chunks: int
    jobs: Mapping[str, int]
    models: tuple[EmbeddingModel, ...]
    schema_version: int


@dataclass(frozen=True, slots=True)
class Readiness(Value):
    """The result of a readiness check: the store can be read and has room, its schema is current, and the workers of
    this process run (`elsewhere`: it has none). `ready` is True if all of it holds; otherwise `reason` says why not."""

    ready: bool
    store: bool
    schema: bool
    worker: Literal["running", "stopped", "elsewhere"]
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class DamagedRecord(Value):
    """A record that is not what was written. `space`, `conversation` and `seq` say where a message is. `in_backup` is
    True if the backup that the doctor was given has the record intact; None if it was given none."""

    table: str
    id: str
    space: str | None = None
    conversation: str | None = None
    seq: int | None = None
    in_backup: bool | None = None


@dataclass(frozen=True, slots=True)
class Finding(Value):
    """The result of one check of the doctor. `count` is the number of errors; `damaged` names damaged records."""

    check: str
    ok: bool
    count: int
    detail: str
    repaired: bool = False
    damaged: tuple[DamagedRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Backup(Value):
    """The path and size of a backup, and the number of its records. `damaged` of them were damaged in the store."""

    path: str
    bytes: int
    schema_version: int
    spaces: int
    conversations: int
    messages: int
    damaged: int = 0


@dataclass(frozen=True, slots=True)
class RestoreReport(Backup):
    """A store made from a backup. `mended` names the indexes that the doctor rebuilt."""

    mended: tuple[str, ...] = ()


CommitStamp: TypeAlias = tuple[int, int]  # changes with every commit in the store
