"""The state of a store: status, readiness, checks, and backups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """An embedding model the store knows, and how far its vectors reach. `state` is serving, building or retired."""

    name: str
    dimension: int
    state: str
    embedded: int
    expected: int


@dataclass(frozen=True, slots=True)
class Status:
    """What the store holds and what is still to be done."""

    spaces: int
    conversations: int
    messages: int
    chunks: int
    jobs: Mapping[str, int]
    models: tuple[EmbeddingModel, ...]
    schema_version: int


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether everything works: the store answers, its schema is this version's, and the workers of this process run
    (`elsewhere`: it has none). `ready` is all of it."""

    ready: bool
    store: bool
    schema: bool
    worker: Literal["running", "stopped", "elsewhere"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One check of the doctor. `count` things are wrong; `repaired` says whether they were mended."""

    check: str
    ok: bool
    count: int
    detail: str
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Backup:
    """A whole store in one file: where it is, its bytes, and what it holds."""

    path: str
    bytes: int
    schema_version: int
    spaces: int
    conversations: int
    messages: int


@dataclass(frozen=True, slots=True)
class RestoreReport(Backup):
    """A store made of a backup. `mended` names what the doctor rebuilt from its log on the way."""

    mended: tuple[str, ...] = ()


CommitStamp: TypeAlias = tuple[int, int]  # a store's: another one as soon as anything was committed
