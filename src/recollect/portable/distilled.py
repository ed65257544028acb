"""How far distilling had come, and what consolidations did, as JSON records, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from recollect.errors import InvalidInput
from recollect.models import Consolidation, ConversationInfo, Json
from recollect.portable.fields import moment, moment_or_none, needed, text_or_none, texts, written
from recollect.portable.stream import named, parsed
from recollect.ports import Store
from recollect.records import KeptConsolidation, KeptStep, Sources
from recollect.text import accept

PROGRESS, CONSOLIDATIONS = "progress", "consolidations"
RECORDS: tuple[Literal["fact", "episode"], ...] = ("fact", "episode")
COUNTS = ("looked_at", "archived", "merged", "tokens")


def progress(store: Store, space: str, conversations: Sequence[ConversationInfo]) -> Iterator[Json]:
    for one in conversations:
        for step, reached in store.progress.all(space, one.id).items():
            yield {"conversation": one.id, "step": step, "reached": reached}


def read_progress(folder: Path) -> dict[str, dict[str, int]]:
    """How far each step had read, by conversation."""
    found: dict[str, dict[str, int]] = {}
    for conversation, step, reached in parsed(folder / f"{PROGRESS}.json", _reached):
        found.setdefault(conversation, {})[step] = reached
    return found


def consolidations(store: Store, space: str) -> Iterator[Json]:
    for one in store.moving.consolidations(space):
        report = {name: value for name, value in asdict(one.report).items() if name != "records"}
        yield written(report) | {"steps": [written(asdict(step)) for step in one.steps]}


def read_consolidations(store: Store, folder: Path, space: str) -> None:
    path = folder / f"{CONSOLIDATIONS}.json"
    for one in parsed(path, _consolidation):
        with named(path):
            store.moving.keep_consolidations(space, [one])


def of_sources(sources: Sources) -> dict[str, Json]:
    """What something was made from, by kind; those kinds that there are."""
    return {kind: list(ids) for kind, ids in asdict(sources).items() if ids}


def to_sources(record: Mapping[str, Json]) -> Sources | None:
    """None for a record of a time when this was not exported."""
    if "sources" not in record:
        return None
    said = accept.record(record["sources"], "sources")
    return Sources(*(texts(said.get(kind, []), kind) for kind in ("messages", "summaries", "facts")))


def _reached(record: Mapping[str, Json]) -> tuple[str, str, int]:
    return (
        accept.name(needed(record, "conversation"), "conversation"),
        accept.name(needed(record, "step"), "step"),
        accept.count(needed(record, "reached"), "reached", 0),
    )


def _consolidation(record: Mapping[str, Json]) -> KeptConsolidation:
    id, counts = accept.new_name(needed(record, "id"), "id"), [accept.count(needed(record, n), n, 0) for n in COUNTS]
    looked_at, archived, merged, tokens = counts
    undone_at = moment_or_none(record, "undone_at")
    report = Consolidation(id, moment(record, "at"), looked_at, archived, merged, tokens, (), undone_at)
    return KeptConsolidation(report, tuple(map(_step, accept.records(needed(record, "steps"), "steps"))))


def _step(record: Mapping[str, Json]) -> KeptStep:
    kind = accept.choice(needed(record, "record"), RECORDS, "a step's record")
    copied: tuple[str, ...] | tuple[int, int]
    if kind == "fact":
        copied = texts(needed(record, "copied"), "copied")
    else:
        seqs = needed(record, "copied")
        if not isinstance(seqs, list) or len(seqs) != 2:
            raise InvalidInput("copied must be two seqs")
        copied = accept.count(seqs[0], "copied", 0), accept.count(seqs[1], "copied", 0)
    known_until, into = moment_or_none(record, "known_until"), text_or_none(record, "into")
    id, status = accept.name(needed(record, "id"), "id"), accept.text(needed(record, "status"), "status")
    return KeptStep(kind, id, status, known_until, into, copied)
