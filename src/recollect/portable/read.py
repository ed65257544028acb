"""Puts an exported space back: the same records, ids and times. Repeating it changes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path

from recollect.errors import InvalidInput
from recollect.ingest.append import Drafts
from recollect.models import Json
from recollect.portable import distilled, episodes, facts, profile, records
from recollect.portable.fields import needed, texts
from recollect.portable.stream import batches, items, named, parsed
from recollect.portable.write import FORMAT, VERSION
from recollect.ports import Progress, Store
from recollect.records import Sources
from recollect.settings import Value
from recollect.settings import accept as setting_value
from recollect.text import accept

BATCH = 500  # messages, or accesses, in one transaction
WITHOUT_LEDGER = 1  # the version that had no summaries and no accesses
LARGEST_MANIFEST = 1 << 20  # bytes; ours has less than a thousand
LISTED = 3  # the version from which on the manifest lists the files


def read_space(store: Store, drafts: Drafts, folder: Path, name: str | None, progress: Progress) -> str:
    """Imports `folder` as the space `name`, or under the name that it was exported with."""
    space = read_records(store, drafts, folder, name, progress)
    profile.read(store, folder, space)
    return space


def read_records(store: Store, drafts: Drafts, folder: Path, name: str | None, progress: Progress) -> str:
    """All of it but the profile and its audit."""
    manifest = _manifest(folder)
    space = accept.name(needed(manifest, "space") if name is None else name, "space")
    made = accept.moment(needed(manifest, "created_at"), "created_at")
    settings = [_setting(record) for record in items(folder / "settings.json")]
    conversations = [records.to_conversation(space, record) for record in items(folder / "conversations.json")]
    own = Own(facts.ids(folder), _ids(folder / "summaries.json"))
    told = Told(progress, _count(folder / "messages.json") + len(own.facts))
    store.spaces.start(space, made)
    for setting, value in settings:
        if setting not in store.preferences.all(space):
            store.preferences.set(space, setting, value, made)
    for conversation in conversations:
        store.conversations.start(conversation)
    episodes.read(store, folder, space)  # before the messages, as the summaries: no worker makes any of it anew
    _summaries(store, folder, space, own.summaries)
    _messages(store, drafts, folder, space, told)
    _pins(store, folder, space)
    facts.read(store, folder, space, own.facts, told.more)
    _trace(store, folder, space)
    distilled.read_consolidations(store, folder, space)
    _accesses(store, folder, space)
    return space


@dataclass(frozen=True, slots=True)
class Own:
    """The ids of what is being imported, to tell it from what was made here."""

    facts: frozenset[str]
    summaries: frozenset[str]


class Told:
    """Tells how far it has come."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def more(self, count: int) -> None:
        self._done += count
        self._progress(self._done, self._total)


def _setting(record: Mapping[str, Json]) -> tuple[str, Value]:
    name = accept.name(needed(record, "name"), "a setting's name")
    return name, setting_value(name, needed(record, "value"))


def _conversation(record: Mapping[str, Json]) -> str:
    return accept.name(needed(record, "conversation"), "conversation")


def _manifest(folder: Path) -> Mapping[str, Json]:
    path = folder / "manifest.json"
    if not path.is_file():
        raise InvalidInput(f"{str(folder)!r} is not an exported space: it has no manifest.json")
    if path.stat().st_size > LARGEST_MANIFEST:
        raise InvalidInput(f"{path} is not the manifest of an exported space")
    try:
        manifest = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as exc:
        raise InvalidInput(f"{path} is not JSON: {exc}") from exc
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise InvalidInput(f"{path} is not the manifest of an exported space")
    if manifest.get("version") not in range(1, VERSION + 1):
        raise InvalidInput(
            f"{path} has version {manifest.get('version')}, this recollect reads up to {VERSION}; upgrade it"
        )
    missing = [name for name in _needed_files(manifest) if not (folder / accept.name(name, "a file")).is_file()]
    if missing:
        raise InvalidInput(f"{', '.join(f'{name} is missing' for name in missing)} in {folder}; the export had it")
    return manifest


def _needed_files(manifest: Mapping[str, Json]) -> Sequence[str]:
    if manifest["version"] >= LISTED:
        return texts(needed(manifest, "files"), "files")
    return ("summaries.json", "accesses.json") if manifest["version"] > WITHOUT_LEDGER else ()


def _messages(store: Store, drafts: Drafts, folder: Path, space: str, told: Told) -> None:
    read = distilled.read_progress(folder)
    pairs = _with_chunks(items(folder / "messages.json"), items(folder / "chunks.json"))
    for batch in batches(pairs, BATCH):
        found = [(_conversation(record), records.to_message(record, chunks)) for record, chunks in batch]
        store.messages.restore(
            space, [(owner, replace(draft, chunks=drafts.terms(draft))) for owner, draft in found], read
        )
        told.more(len(batch))


def _pins(store: Store, folder: Path, space: str) -> None:
    """One that recollect made is not made a second time, though it found it here by itself."""
    for owner, pin in parsed(folder / "pins.json", lambda record: (_conversation(record), records.to_pin(record))):
        if store.pins.get(space, owner, pin.id) is not None:
            continue
        standing = store.pins.list(space, owner, None) if pin.reason is not None else []
        if not any(one.reason is not None and one.content == pin.content for one in standing):
            store.pins.save(space, owner, pin)


def _summaries(store: Store, folder: Path, space: str, own: frozenset[str]) -> None:
    path = folder / "summaries.json"
    for batch in batches(parsed(path, partial(records.to_summary, space)), BATCH):
        with named(path):
            store.moving.keep_summaries(batch, own)


def _trace(store: Store, folder: Path, space: str) -> None:
    """Says what summaries and episodes were made from, once that is there."""
    episodes.trace(store, folder, space)
    for batch in batches(parsed(folder / "summaries.json", _sources), BATCH):
        store.moving.keep_sources(space, "summary", dict(batch))


def _sources(record: Mapping[str, Json]) -> tuple[str, Sources | None]:
    return accept.name(needed(record, "id"), "id"), distilled.to_sources(record)


def _ids(path: Path) -> frozenset[str]:
    return frozenset(parsed(path, lambda record: accept.name(needed(record, "id"), "id")))


def _count(path: Path) -> int:
    return sum(1 for _ in items(path))


def _accesses(store: Store, folder: Path, space: str) -> None:
    for batch in batches(parsed(folder / "accesses.json", records.to_access), BATCH):
        store.accesses.restore(space, batch)


def _with_chunks(
    messages: Iterator[Mapping[str, Json]], chunks: Iterator[Mapping[str, Json]]
) -> Iterator[tuple[Mapping[str, Json], Sequence[Mapping[str, Json]]]]:
    """Each message with its chunks. Both files are in the same order, so neither is held in memory."""
    by_message = groupby(chunks, key=lambda chunk: needed(chunk, "message"))
    owner, own = next(by_message, (None, iter(())))
    for message in messages:
        if owner != needed(message, "id"):
            yield message, ()
            continue
        yield message, list(own)
        owner, own = next(by_message, (None, iter(())))
    if owner is not None:
        raise InvalidInput(f"chunks.json has chunks of {owner!r}, which does not follow in messages.json")
