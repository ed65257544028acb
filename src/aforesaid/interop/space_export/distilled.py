"""Episodes, automatic pin marks, distillation progress, consolidations and sources as JSON records, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from aforesaid.errors import InvalidInput
from aforesaid.interop.json_stream import import_batches, parse_records
from aforesaid.interop.space_export.codec import Check, JsonRecord, decode, encode, required, required_name, texts
from aforesaid.models.consolidation import Consolidation, ConsolidationExport, ConsolidationStep
from aforesaid.models.conversation import ConversationInfo
from aforesaid.models.episode import Episode, EpisodeExport
from aforesaid.models.json import Json
from aforesaid.models.pin import PinMark
from aforesaid.models.transfer import SourceIds
from aforesaid.storage.store import Store
from aforesaid.text import validate

PROGRESS, CONSOLIDATIONS = "progress", "consolidations"


def export_episodes(store: Store, space: str, conversations: Sequence[ConversationInfo]) -> dict[str, Iterator[Json]]:
    """The records of each file."""
    ids = [info.id for info in conversations]
    return {
        "episodes": (
            _encode_episode(store, space, export) for id in ids for export in store.transfer.episodes(space, id)
        ),
        "removed_episodes": (
            {"conversation": id, "first_seq": first, "last_seq": last}
            for id in ids
            for first, last in store.episodes.removed(space, id)
        ),
        "pin_marks": ({"conversation": id} | encode(mark) for id in ids for mark in store.pins.marks(space, id)),
    }


def import_episodes(store: Store, folder: Path, space: str) -> None:
    """Imports them into existing conversations, before their messages."""
    for conversation, first, last in parse_records(folder / "removed_episodes.json", _removed_range):
        store.episodes.import_removed(space, conversation, [(first, last)])
    for conversation, mark in parse_records(folder / "pin_marks.json", _pin_mark):
        store.pins.import_marks(space, conversation, [mark])
    parse, store_all = partial(_decode_episode, space), partial(store.transfer.import_episodes, space)
    import_batches(folder / "episodes.json", parse, store_all, size=None)


def _removed_range(record: JsonRecord) -> tuple[str, int, int]:
    first = validate.count(required(record, "first_seq"), "first_seq", 0)
    last = validate.count(required(record, "last_seq"), "last_seq", first)
    return required_name(record, "conversation"), first, last


def _pin_mark(record: JsonRecord) -> tuple[str, PinMark]:
    return required_name(record, "conversation"), decode(PinMark, record, {"mark": validate.name})


def _encode_episode(store: Store, space: str, export: EpisodeExport) -> Json:
    """Without the fields that follow from the space and from the messages."""
    sources = encode_sources(store.transfer.sources(space, "episode", export.episode.id))
    return encode(export.episode, "space", "at") | {"merged_into": export.merged_into, "sources": sources}


EPISODE_CHECKS: Mapping[str, Check] = {
    "id": validate.new_name,
    "conversation": validate.name,
    "title": validate.non_blank,
    "valence": validate.signed_share,
}


def _decode_episode(space: str, record: JsonRecord) -> EpisodeExport:
    at = validate.moment(required(record, "created_at"), "created_at")  # until its messages are imported
    episode = decode(Episode, record, EPISODE_CHECKS, space=space, at=at)
    validate.count(episode.last_seq, "last_seq", episode.first_seq)
    merged_into = record.get("merged_into")
    return EpisodeExport(episode, None if merged_into is None else validate.text(merged_into, "merged_into"))


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
    path = folder / f"{CONSOLIDATIONS}.json"
    import_batches(path, _consolidation, partial(store.transfer.import_consolidations, space), size=1)


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
