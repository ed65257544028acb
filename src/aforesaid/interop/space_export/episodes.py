"""Episodes, removed episodes and automatic pin marks as JSON records, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from aforesaid.interop.json_stream import errors_named, parse_records
from aforesaid.interop.space_export.distilled import of_sources, to_sources
from aforesaid.interop.space_export.fields import required, text_or_none, texts, to_json_values
from aforesaid.models.conversation import ConversationInfo
from aforesaid.models.episode import EPISODE_TYPES, Episode, EpisodeExport, EpisodeMethod
from aforesaid.models.json import Json
from aforesaid.models.pin import PinMark
from aforesaid.models.transfer import SourceIds
from aforesaid.storage.store import Store
from aforesaid.text import validate

FILES = ("episodes", "removed_episodes", "pin_marks")
LEFT = ("space", "at")  # what follows from where it is, and from its messages
METHODS: tuple[EpisodeMethod, ...] = ("pattern", "model", "manual")


def found(store: Store, space: str, conversations: Sequence[ConversationInfo]) -> Iterator[tuple[str, list[Json]]]:
    content: dict[str, list[Json]] = {name: [] for name in FILES}
    for one in conversations:
        owner = {"conversation": one.id}
        content["episodes"] += [_written(store, space, kept) for kept in store.transfer.episodes(space, one.id)]
        removed = store.episodes.removed(space, one.id)
        content["removed_episodes"] += [owner | {"first_seq": first, "last_seq": last} for first, last in removed]
        content["pin_marks"] += [owner | asdict(mark) for mark in store.pins.marks(space, one.id)]
    yield from content.items()


def read(store: Store, folder: Path, space: str) -> None:
    """Imports them into existing conversations, before their messages."""
    for conversation, first, last in parse_records(folder / "removed_episodes.json", _removed):
        store.episodes.import_removed(space, conversation, [(first, last)])
    for conversation, mark in parse_records(folder / "pin_marks.json", _mark):
        store.pins.import_marks(space, conversation, [mark])
    path = folder / "episodes.json"
    with errors_named(path):
        store.transfer.import_episodes(space, list(parse_records(path, partial(_episode, space))))


def trace(store: Store, folder: Path, space: str) -> None:
    """Imports the sources of episodes, after the sources themselves."""
    store.transfer.import_sources(space, "episode", dict(parse_records(folder / "episodes.json", _sources)))


def _removed(record: Mapping[str, Json]) -> tuple[str, int, int]:
    first = validate.count(required(record, "first_seq"), "first_seq", 0)
    return _owner(record), first, validate.count(required(record, "last_seq"), "last_seq", first)


def _mark(record: Mapping[str, Json]) -> tuple[str, PinMark]:
    mark = validate.name(required(record, "mark"), "mark")
    return _owner(record), PinMark(mark, text_or_none(record, "source_message_id"))


def _sources(record: Mapping[str, Json]) -> tuple[str, SourceIds | None]:
    return validate.name(required(record, "id"), "id"), to_sources(record)


def _episode(space: str, record: Mapping[str, Json]) -> EpisodeExport:
    first = validate.count(required(record, "first_seq"), "first_seq", 0)
    made = validate.moment(required(record, "created_at"), "created_at")
    episode = Episode(
        id=validate.new_name(required(record, "id"), "id"),
        space=space,
        conversation=_owner(record),
        type=validate.choice(required(record, "type"), EPISODE_TYPES, "an episode's type"),
        title=validate.non_blank(required(record, "title"), "title"),
        summary=validate.text(required(record, "summary"), "summary"),
        context=validate.text(required(record, "context"), "context"),
        participants=texts(required(record, "participants"), "participants"),
        outcome=text_or_none(record, "outcome"),
        valence=validate.signed_share(required(record, "valence"), "valence"),
        significance=validate.share(required(record, "significance"), "significance"),
        facts=texts(required(record, "facts"), "facts"),
        first_seq=first,
        last_seq=validate.count(required(record, "last_seq"), "last_seq", first),
        method=validate.choice(required(record, "method"), METHODS, "an episode's method"),
        model=text_or_none(record, "model"),
        tokens=validate.count(required(record, "tokens"), "tokens", 0),
        created_at=made,
        at=made,  # until its messages are there
    )
    return EpisodeExport(episode, text_or_none(record, "merged_into"))


def _owner(record: Mapping[str, Json]) -> str:
    return validate.name(required(record, "conversation"), "conversation")


def _written(store: Store, space: str, kept: EpisodeExport) -> Json:
    record = {name: value for name, value in asdict(kept.episode).items() if name not in LEFT}
    sources = of_sources(store.transfer.sources(space, "episode", kept.episode.id))
    return to_json_values(record) | {"merged_into": kept.merged_into, "sources": sources}
