"""Distillation progress and consolidations as JSON records, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from aforesaid.errors import InvalidInput
from aforesaid.interop.json_stream import errors_named, parse_records
from aforesaid.interop.space_export.fields import (
    required,
    required_time,
    text_or_none,
    texts,
    time_or_none,
    to_json_values,
)
from aforesaid.models.consolidation import Consolidation, ConsolidationExport, ConsolidationStep
from aforesaid.models.conversation import ConversationInfo
from aforesaid.models.json import Json
from aforesaid.models.transfer import SourceIds
from aforesaid.storage.store import Store
from aforesaid.text import validate

PROGRESS, CONSOLIDATIONS = "progress", "consolidations"
RECORDS: tuple[Literal["fact", "episode"], ...] = ("fact", "episode")
COUNTS = ("looked_at", "archived", "merged", "tokens")


def progress(store: Store, space: str, conversations: Sequence[ConversationInfo]) -> Iterator[Json]:
    for one in conversations:
        for step, reached in store.progress.all(space, one.id).items():
            yield {"conversation": one.id, "step": step, "reached": reached}


def read_progress(folder: Path) -> dict[str, dict[str, int]]:
    """The last message that each step has read, by conversation."""
    found: dict[str, dict[str, int]] = {}
    for conversation, step, reached in parse_records(folder / f"{PROGRESS}.json", _reached):
        found.setdefault(conversation, {})[step] = reached
    return found


def consolidations(store: Store, space: str) -> Iterator[Json]:
    for one in store.transfer.consolidations(space):
        report = {name: value for name, value in asdict(one.report).items() if name != "records"}
        yield to_json_values(report) | {"steps": [to_json_values(asdict(step)) for step in one.steps]}


def read_consolidations(store: Store, folder: Path, space: str) -> None:
    path = folder / f"{CONSOLIDATIONS}.json"
    for one in parse_records(path, _consolidation):
        with errors_named(path):
            store.transfer.import_consolidations(space, [one])


def of_sources(sources: SourceIds) -> dict[str, Json]:
    """The source ids by kind, without empty kinds."""
    return {kind: list(ids) for kind, ids in asdict(sources).items() if ids}


def to_sources(record: Mapping[str, Json]) -> SourceIds | None:
    """Returns None for a record of an older version, which has no sources."""
    if "sources" not in record:
        return None
    said = validate.record(record["sources"], "sources")
    return SourceIds(*(texts(said.get(kind, []), kind) for kind in ("messages", "summaries", "facts")))


def _reached(record: Mapping[str, Json]) -> tuple[str, str, int]:
    return (
        validate.name(required(record, "conversation"), "conversation"),
        validate.name(required(record, "step"), "step"),
        validate.count(required(record, "reached"), "reached", 0),
    )


def _consolidation(record: Mapping[str, Json]) -> ConsolidationExport:
    id, counts = (
        validate.new_name(required(record, "id"), "id"),
        [validate.count(required(record, n), n, 0) for n in COUNTS],
    )
    looked_at, archived, merged, tokens = counts
    undone_at = time_or_none(record, "undone_at")
    report = Consolidation(id, required_time(record, "at"), looked_at, archived, merged, tokens, (), undone_at)
    return ConsolidationExport(report, tuple(map(_step, validate.records(required(record, "steps"), "steps"))))


def _step(record: Mapping[str, Json]) -> ConsolidationStep:
    kind = validate.choice(required(record, "record"), RECORDS, "a step's record")
    copied: tuple[str, ...] | tuple[int, int]
    if kind == "fact":
        copied = texts(required(record, "copied"), "copied")
    else:
        seqs = required(record, "copied")
        if not isinstance(seqs, list) or len(seqs) != 2:
            raise InvalidInput("copied must be two seqs")
        copied = validate.count(seqs[0], "copied", 0), validate.count(seqs[1], "copied", 0)
    known_until, into = time_or_none(record, "known_until"), text_or_none(record, "into")
    id, status = validate.name(required(record, "id"), "id"), validate.text(required(record, "status"), "status")
    return ConsolidationStep(kind, id, status, known_until, into, copied)
