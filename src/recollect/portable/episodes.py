"""Episodes, those that were removed, and marks of what was pinned automatically, as JSON records, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from recollect.errors import InvalidInput
from recollect.models import EPISODE_TYPES, ConversationInfo, Episode, EpisodeMethod, Json
from recollect.portable.records import needed
from recollect.portable.stream import items
from recollect.ports import Store
from recollect.records import PinMark
from recollect.text import accept

FILES = ("episodes", "removed_episodes", "pin_marks")  # an export has those that are not empty
METHODS: tuple[EpisodeMethod, ...] = ("pattern", "model", "manual")


def found(store: Store, space: str, conversations: Sequence[ConversationInfo]) -> Iterator[tuple[str, list[Json]]]:
    """The files that have something in them."""
    content: dict[str, list[Json]] = {name: [] for name in FILES}
    for one in conversations:
        owner = {"conversation": one.id}
        content["episodes"] += [_written(episode) for episode in store.episodes.list(space, one.id, None, 0.0, None)]
        removed = store.episodes.removed(space, one.id)
        content["removed_episodes"] += [owner | {"first_seq": first, "last_seq": last} for first, last in removed]
        content["pin_marks"] += [owner | asdict(mark) for mark in store.pins.marks(space, one.id)]
    yield from ((name, records) for name, records in content.items() if records)


def read(store: Store, folder: Path, space: str) -> None:
    """Puts them back into conversations that are there."""
    for record in _records(folder, "removed_episodes"):
        first = accept.count(needed(record, "first_seq"), "first_seq", 0)
        last = accept.count(needed(record, "last_seq"), "last_seq", first)
        store.episodes.keep_removed(space, _owner(record), [(first, last)])
    for record in _records(folder, "pin_marks"):
        mark = PinMark(accept.name(needed(record, "mark"), "mark"), _text(record, "source_message_id"))
        store.pins.keep_marks(space, _owner(record), [mark])
    for record in _records(folder, "episodes"):
        store.episodes.save(_episode(space, record))


def _records(folder: Path, name: str) -> Iterator[Mapping[str, Json]]:
    path = folder / f"{name}.json"
    return iter(items(path) if path.is_file() else ())


def _episode(space: str, record: Mapping[str, Json]) -> Episode:
    first = accept.count(needed(record, "first_seq"), "first_seq", 0)
    return Episode(
        id=accept.name(needed(record, "id"), "id"),
        space=space,
        conversation=_owner(record),
        type=accept.choice(needed(record, "type"), EPISODE_TYPES, "an episode's type"),
        title=accept.words(needed(record, "title"), "title"),
        summary=accept.text(needed(record, "summary"), "summary"),
        context=accept.text(needed(record, "context"), "context"),
        participants=_names(needed(record, "participants"), "participants"),
        outcome=_text(record, "outcome"),
        valence=accept.balance(needed(record, "valence"), "valence"),
        significance=accept.share(needed(record, "significance"), "significance"),
        facts=_names(needed(record, "facts"), "facts"),
        first_seq=first,
        last_seq=accept.count(needed(record, "last_seq"), "last_seq", first),
        method=accept.choice(needed(record, "method"), METHODS, "an episode's method"),
        model=_text(record, "model"),
        tokens=accept.count(needed(record, "tokens"), "tokens", 0),
        created_at=accept.moment(needed(record, "created_at"), "created_at"),
    )


def _owner(record: Mapping[str, Json]) -> str:
    return accept.name(needed(record, "conversation"), "conversation")


def _names(value: Json, what: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise InvalidInput(f"{what} must be a list, not {type(value).__name__}")
    return tuple(accept.text(name, what) for name in value)


def _text(record: Mapping[str, Json], name: str) -> str | None:
    value = record.get(name)
    return None if value is None else accept.text(value, name)


def _written(episode: Episode) -> dict[str, Json]:
    record = {name: value for name, value in asdict(episode).items() if name != "space"}
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in record.items()}
