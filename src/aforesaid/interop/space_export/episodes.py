"""Episodes, removed episodes and the marks of automatic pins as JSON records, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from aforesaid.interop.json_stream import errors_named, parse_records
from aforesaid.interop.space_export.codec import Check, JsonRecord, decode, encode, required, required_name
from aforesaid.interop.space_export.distilled import encode_sources
from aforesaid.models.conversation import ConversationInfo
from aforesaid.models.episode import Episode, EpisodeExport
from aforesaid.models.json import Json
from aforesaid.models.pin import PinMark
from aforesaid.storage.store import Store
from aforesaid.text import validate


def export_episodes(store: Store, space: str, conversations: Sequence[ConversationInfo]) -> dict[str, Iterator[Json]]:
    """The records of each file."""
    ids = [info.id for info in conversations]
    return {
        "episodes": (_to_record(store, space, export) for id in ids for export in store.transfer.episodes(space, id)),
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
    path = folder / "episodes.json"
    with errors_named(path):
        store.transfer.import_episodes(space, list(parse_records(path, partial(_to_export, space))))


def _removed_range(record: JsonRecord) -> tuple[str, int, int]:
    first = validate.count(required(record, "first_seq"), "first_seq", 0)
    last = validate.count(required(record, "last_seq"), "last_seq", first)
    return required_name(record, "conversation"), first, last


def _pin_mark(record: JsonRecord) -> tuple[str, PinMark]:
    return required_name(record, "conversation"), decode(PinMark, record, {"mark": validate.name})


def _to_record(store: Store, space: str, export: EpisodeExport) -> Json:
    """Without the fields that follow from the space and from the messages."""
    sources = encode_sources(store.transfer.sources(space, "episode", export.episode.id))
    return encode(export.episode, "space", "at") | {"merged_into": export.merged_into, "sources": sources}


EPISODE_CHECKS: Mapping[str, Check] = {
    "id": validate.new_name,
    "conversation": validate.name,
    "title": validate.non_blank,
    "valence": validate.signed_share,
}


def _to_export(space: str, record: JsonRecord) -> EpisodeExport:
    at = validate.moment(required(record, "created_at"), "created_at")  # until its messages are imported
    episode = decode(Episode, record, EPISODE_CHECKS, space=space, at=at)
    validate.count(episode.last_seq, "last_seq", episode.first_seq)
    merged_into = record.get("merged_into")
    return EpisodeExport(episode, None if merged_into is None else validate.text(merged_into, "merged_into"))
