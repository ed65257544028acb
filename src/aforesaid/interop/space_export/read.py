"""Reads an exported space into a store: the same records, ids and times. Repeating it changes nothing.

The progress of the distillation steps is stored with the messages, so a worker reads nothing twice. Summaries and
episodes come before their messages, facts after them, because their quotes are checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path

from aforesaid.errors import InvalidInput
from aforesaid.ingest.draft import DraftBuilder
from aforesaid.interop.json_stream import batches, errors_named, parse_records, read_records_of
from aforesaid.interop.space_export import distilled, episodes, facts, profile, records
from aforesaid.interop.space_export.fields import required, texts
from aforesaid.interop.space_export.write import FORMAT, VERSION
from aforesaid.models.json import Json
from aforesaid.models.transfer import SourceIds
from aforesaid.ports import Progress
from aforesaid.settings import SettingValue
from aforesaid.settings import validate_setting as setting_value
from aforesaid.storage.store import Store
from aforesaid.text import validate

BATCH = 500  # messages, or accesses, in one transaction
VERSION_WITHOUT_LEDGER = 1  # the version that had no summaries and no accesses
MAX_MANIFEST_BYTES = 1 << 20  # bytes; ours has less than a thousand
VERSION_WITH_FILE_LIST = 3  # the version from which on the manifest lists the files


def read_space(store: Store, drafts: DraftBuilder, folder: Path, name: str | None, progress: Progress) -> str:
    """Imports `folder` as the space `name`, or under the name that it was exported with."""
    space = read_records(store, drafts, folder, name, progress)
    profile.read(store, folder, space)
    return space


def read_records(store: Store, drafts: DraftBuilder, folder: Path, name: str | None, progress: Progress) -> str:
    """Imports everything except the profile and its audit."""
    manifest = _manifest(folder)
    space = validate.name(required(manifest, "space") if name is None else name, "space")
    made = validate.moment(required(manifest, "created_at"), "created_at")
    settings = [_setting(record) for record in read_records_of(folder / "settings.json")]
    conversations = [
        records.to_conversation(space, record) for record in read_records_of(folder / "conversations.json")
    ]
    own = ImportedIds(facts.ids(folder), _ids(folder / "summaries.json"))
    told = ProgressCounter(progress, _count(folder / "messages.json") + len(own.facts))
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
class ImportedIds:
    """The ids of imported records, to distinguish them from records that were made here."""

    facts: frozenset[str]
    summaries: frozenset[str]


class ProgressCounter:
    """Counts records and reports the progress."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def more(self, count: int) -> None:
        self._done += count
        self._progress(self._done, self._total)


def _setting(record: Mapping[str, Json]) -> tuple[str, SettingValue]:
    name = validate.name(required(record, "name"), "a setting's name")
    return name, setting_value(name, required(record, "value"))


def _conversation(record: Mapping[str, Json]) -> str:
    return validate.name(required(record, "conversation"), "conversation")


def _manifest(folder: Path) -> Mapping[str, Json]:
    path = folder / "manifest.json"
    if not path.is_file():
        raise InvalidInput(f"{str(folder)!r} is not an exported space: it has no manifest.json")
    if path.stat().st_size > MAX_MANIFEST_BYTES:
        raise InvalidInput(f"{path} is not the manifest of an exported space")
    try:
        manifest = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as exc:
        raise InvalidInput(f"{path} is not JSON: {exc}") from exc
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise InvalidInput(f"{path} is not the manifest of an exported space")
    if manifest.get("version") not in range(1, VERSION + 1):
        raise InvalidInput(
            f"{path} has version {manifest.get('version')}, this aforesaid reads up to {VERSION}; upgrade it"
        )
    missing = [name for name in _needed_files(manifest) if not (folder / validate.name(name, "a file")).is_file()]
    if missing:
        raise InvalidInput(f"{', '.join(f'{name} is missing' for name in missing)} in {folder}; the export had it")
    return manifest


def _needed_files(manifest: Mapping[str, Json]) -> Sequence[str]:
    if manifest["version"] >= VERSION_WITH_FILE_LIST:
        return texts(required(manifest, "files"), "files")
    return ("summaries.json", "accesses.json") if manifest["version"] > VERSION_WITHOUT_LEDGER else ()


def _messages(store: Store, drafts: DraftBuilder, folder: Path, space: str, told: ProgressCounter) -> None:
    read = distilled.read_progress(folder)
    pairs = _with_chunks(read_records_of(folder / "messages.json"), read_records_of(folder / "chunks.json"))
    for batch in batches(pairs, BATCH):
        found = [(_conversation(record), records.to_message(record, chunks)) for record, chunks in batch]
        store.messages.restore(
            space, [(owner, replace(draft, chunks=drafts.terms(draft))) for owner, draft in found], read
        )
        told.more(len(batch))


def _pins(store: Store, folder: Path, space: str) -> None:
    """Imports pins, except automatic pins that this store already has with the same content."""
    for owner, pin in parse_records(
        folder / "pins.json", lambda record: (_conversation(record), records.to_pin(record))
    ):
        if store.pins.get(space, owner, pin.id) is not None:
            continue
        standing = store.pins.list(space, owner, None) if pin.reason is not None else []
        if not any(one.reason is not None and one.content == pin.content for one in standing):
            store.pins.save(space, owner, pin)


def _summaries(store: Store, folder: Path, space: str, own: frozenset[str]) -> None:
    path = folder / "summaries.json"
    for batch in batches(parse_records(path, partial(records.to_summary, space)), BATCH):
        with errors_named(path):
            store.transfer.import_summaries(batch, own)


def _trace(store: Store, folder: Path, space: str) -> None:
    """Imports the sources of summaries and episodes, after the sources themselves."""
    episodes.trace(store, folder, space)
    for batch in batches(parse_records(folder / "summaries.json", _sources), BATCH):
        store.transfer.import_sources(space, "summary", dict(batch))


def _sources(record: Mapping[str, Json]) -> tuple[str, SourceIds | None]:
    return validate.name(required(record, "id"), "id"), distilled.to_sources(record)


def _ids(path: Path) -> frozenset[str]:
    return frozenset(parse_records(path, lambda record: validate.name(required(record, "id"), "id")))


def _count(path: Path) -> int:
    return sum(1 for _ in read_records_of(path))


def _accesses(store: Store, folder: Path, space: str) -> None:
    for batch in batches(parse_records(folder / "accesses.json", records.to_access), BATCH):
        store.accesses.restore(space, batch)


def _with_chunks(
    messages: Iterator[Mapping[str, Json]], chunks: Iterator[Mapping[str, Json]]
) -> Iterator[tuple[Mapping[str, Json], Sequence[Mapping[str, Json]]]]:
    """Each message with its chunks. Both files are in the same order, so neither is held in memory."""
    by_message = groupby(chunks, key=lambda chunk: required(chunk, "message"))
    owner, own = next(by_message, (None, iter(())))
    for message in messages:
        if owner != required(message, "id"):
            yield message, ()
            continue
        yield message, list(own)
        owner, own = next(by_message, (None, iter(())))
    if owner is not None:
        raise InvalidInput(f"chunks.json has chunks of {owner!r}, which does not follow in messages.json")
