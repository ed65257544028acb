"""Distillation progress, consolidations and sources as JSON records, and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from aforesaid.errors import InvalidInput
from aforesaid.interop.json_stream import import_batches, parse_records
from aforesaid.interop.space_export.codec import JsonRecord, decode, encode, required, required_name, texts
from aforesaid.models.consolidation import Consolidation, ConsolidationExport, ConsolidationStep
from aforesaid.models.conversation import ConversationInfo
from aforesaid.models.json import Json
from aforesaid.models.transfer import SourceIds
from aforesaid.storage.store import Store
from aforesaid.text import validate

PROGRESS, CONSOLIDATIONS = "progress", "consolidations"


def export_progress(store: Store, space: str, conversations: Sequence[ConversationInfo]) -> Iterator[Json]:
    for info in conversations:
        for step, reached in store.progress.all(space, info.id).items():
            yield {"conversation": info.id, "step": step, "reached": reached}


def read_progress(folder: Path) -> dict[str, dict[str, int]]:
    """The last message that each step has read, by conversation."""
    progress: dict[str, dict[str, int]] = {}
    for conversation, step, reached in parse_records(folder / f"{PROGRESS}.json", _reached):
        progress.setdefault(conversation, {})[step] = reached
    return progress


def export_consolidations(store: Store, space: str) -> Iterator[Json]:
    for export in store.transfer.consolidations(space):
        yield encode(export.report, "records") | {"steps": list(map(encode, export.steps))}


def import_consolidations(store: Store, folder: Path, space: str) -> None:
    import_batches(
        folder / f"{CONSOLIDATIONS}.json",
        _consolidation,
        lambda batch: store.transfer.import_consolidations(space, batch),
        size=1,
    )


def encode_sources(sources: SourceIds) -> dict[str, Json]:
    """The source ids by kind, without empty kinds."""
    return {kind: ids for kind, ids in encode(sources).items() if ids}


def decode_sources(record: JsonRecord) -> tuple[str, SourceIds | None]:
    """The id of a record, and its sources; None for a record of an older version, which has no sources."""
    id = required_name(record, "id")
    if "sources" not in record:
        return id, None
    sources = validate.record(record["sources"], "sources")
    return id, SourceIds(*(texts(sources.get(kind, []), kind) for kind in ("messages", "summaries", "facts")))


def _reached(record: JsonRecord) -> tuple[str, str, int]:
    reached = validate.count(required(record, "reached"), "reached", 0)
    return required_name(record, "conversation"), required_name(record, "step"), reached


def _consolidation(record: JsonRecord) -> ConsolidationExport:
    report = decode(Consolidation, record, {"id": validate.new_name}, records=())
    steps = validate.records(required(record, "steps"), "steps")
    return ConsolidationExport(report, tuple(map(_step, steps)))


def _step(record: JsonRecord) -> ConsolidationStep:
    copied = texts if record.get("record") == "fact" else _seq_range
    return decode(ConsolidationStep, record, {"id": validate.name, "copied": copied})


def _seq_range(value: Json, name: str) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise InvalidInput(f"{name} must be a list of two seqs")
    return validate.count(value[0], name, 0), validate.count(value[1], name, 0)
