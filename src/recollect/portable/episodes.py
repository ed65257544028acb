"""Episodes, those that were removed, and marks of what was pinned automatically, as JSON records, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from recollect.models import EPISODE_TYPES, ConversationInfo, Episode, EpisodeMethod, Json
from recollect.portable.distilled import of_sources, to_sources
from recollect.portable.fields import needed, text_or_none, texts, written
from recollect.portable.stream import named, parsed
from recollect.ports import Store
from recollect.records import KeptEpisode, PinMark, Sources
from recollect.text import accept

FILES = ("episodes", "removed_episodes", "pin_marks")
LEFT = ("space", "at")  # what follows from where it is, and from its messages
METHODS: tuple[EpisodeMethod, ...] = ("pattern", "model", "manual")


def found(store: Store, space: str, conversations: Sequence[ConversationInfo]) -> Iterator[tuple[str, list[Json]]]:
    content: dict[str, list[Json]] = {name: [] for name in FILES}
    for one in conversations:
        owner = {"conversation": one.id}
        content["episodes"] += [_written(store, space, kept) for kept in store.moving.episodes(space, one.id)]
        removed = store.episodes.removed(space, one.id)
        content["removed_episodes"] += [owner | {"first_seq": first, "last_seq": last} for first, last in removed]
        content["pin_marks"] += [owner | asdict(mark) for mark in store.pins.marks(space, one.id)]
    yield from content.items()


def read(store: Store, folder: Path, space: str) -> None:
    """Puts them back into conversations that are there, whose messages need not be there yet."""
    for conversation, first, last in parsed(folder / "removed_episodes.json", _removed):
        store.episodes.keep_removed(space, conversation, [(first, last)])
    for conversation, mark in parsed(folder / "pin_marks.json", _mark):
        store.pins.keep_marks(space, conversation, [mark])
    path = folder / "episodes.json"
    with named(path):
        store.moving.keep_episodes(space, list(parsed(path, partial(_episode, space))))


def trace(store: Store, folder: Path, space: str) -> None:
    """Says what they were made from, once that is there."""
    store.moving.keep_sources(space, "episode", dict(parsed(folder / "episodes.json", _sources)))


def _removed(record: Mapping[str, Json]) -> tuple[str, int, int]:
    first = accept.count(needed(record, "first_seq"), "first_seq", 0)
    return _owner(record), first, accept.count(needed(record, "last_seq"), "last_seq", first)


def _mark(record: Mapping[str, Json]) -> tuple[str, PinMark]:
    mark = accept.name(needed(record, "mark"), "mark")
    return _owner(record), PinMark(mark, text_or_none(record, "source_message_id"))


def _sources(record: Mapping[str, Json]) -> tuple[str, Sources | None]:
    return accept.name(needed(record, "id"), "id"), to_sources(record)


def _episode(space: str, record: Mapping[str, Json]) -> KeptEpisode:
    first = accept.count(needed(record, "first_seq"), "first_seq", 0)
    made = accept.moment(needed(record, "created_at"), "created_at")
    episode = Episode(
        id=accept.new_name(needed(record, "id"), "id"),
        space=space,
        conversation=_owner(record),
        type=accept.choice(needed(record, "type"), EPISODE_TYPES, "an episode's type"),
        title=accept.words(needed(record, "title"), "title"),
        summary=accept.text(needed(record, "summary"), "summary"),
        context=accept.text(needed(record, "context"), "context"),
        participants=texts(needed(record, "participants"), "participants"),
        outcome=text_or_none(record, "outcome"),
        valence=accept.balance(needed(record, "valence"), "valence"),
        significance=accept.share(needed(record, "significance"), "significance"),
        facts=texts(needed(record, "facts"), "facts"),
        first_seq=first,
        last_seq=accept.count(needed(record, "last_seq"), "last_seq", first),
        method=accept.choice(needed(record, "method"), METHODS, "an episode's method"),
        model=text_or_none(record, "model"),
        tokens=accept.count(needed(record, "tokens"), "tokens", 0),
        created_at=made,
        at=made,  # until its messages are there
    )
    return KeptEpisode(episode, text_or_none(record, "merged_into"))


def _owner(record: Mapping[str, Json]) -> str:
    return accept.name(needed(record, "conversation"), "conversation")


def _written(store: Store, space: str, kept: KeptEpisode) -> Json:
    record = {name: value for name, value in asdict(kept.episode).items() if name not in LEFT}
    sources = of_sources(store.moving.sources(space, "episode", kept.episode.id))
    return written(record) | {"merged_into": kept.merged_into, "sources": sources}
