"""Reads an exported space into a store: the same records, ids and times. Repeating it changes nothing.

The progress of the distillation steps is stored with the messages, so a worker reads nothing twice. Summaries and
episodes come before their messages, facts after them, because their quotes are checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path

from aforesaid.errors import InvalidInput
from aforesaid.ingest.draft import DraftBuilder
from aforesaid.interop.json_stream import batches, import_batches, parse_records, read_records_of
from aforesaid.interop.space_export import distilled, records
from aforesaid.interop.space_export.codec import JsonRecord, decode, required, required_name, texts
from aforesaid.interop.space_export.facts import import_facts
from aforesaid.interop.space_export.profile import import_profile
from aforesaid.interop.space_export.write import FORMAT, VERSION
from aforesaid.models.json import Json
from aforesaid.models.space import Hold
from aforesaid.ports import Progress
from aforesaid.settings import validate_setting
from aforesaid.storage.store import Store
from aforesaid.text import validate
from aforesaid.text.schemas import PREFERENCE, parse_schema, stored_schema

BATCH = 500  # messages, or accesses, in one transaction
VERSION_WITHOUT_LEDGER = 1  # the version that had no summaries and no accesses
MAX_MANIFEST_BYTES = 1 << 20  # bytes; ours has less than a thousand
VERSION_WITH_FILE_LIST = 3  # the version from which on the manifest lists the files


def read_space(store: Store, drafts: DraftBuilder, folder: Path, name: str | None, progress: Progress) -> str:
    """Imports `folder` as the space `name`, or under the name that it was exported with."""
    space = read_records(store, drafts, folder, name, progress)
    import_profile(store, folder, space)
    return space


def read_records(store: Store, drafts: DraftBuilder, folder: Path, name: str | None, progress: Progress) -> str:
    """Imports everything except the profile and its audit."""
    manifest = _manifest(folder)
    space = validate.name(required(manifest, "space") if name is None else name, "space")
    created = validate.moment(required(manifest, "created_at"), "created_at")
    settings = [_setting(record) for record in read_records_of(folder / "settings.json")]
    conversations = [
        records.decode_conversation(space, record) for record in read_records_of(folder / "conversations.json")
    ]
    fact_ids, summary_ids = _ids(folder / "facts.json"), _ids(folder / "summaries.json")
    messages = 0
    for messages, _ in enumerate(read_records_of(folder / "messages.json"), 1):
        if messages % BATCH == 0:
            progress(0, messages)
    counter = ProgressCounter(progress, messages + len(fact_ids))
    store.spaces.start(space, created)
    for setting, value in settings:
        if setting not in store.preferences.all(space):
            store.preferences.set(space, setting, value, created)
    for conversation in conversations:  # they expire at the end: nothing is added to an expired one
        store.conversations.start(replace(conversation, expires_at=None))
    distilled.import_episodes(store, folder, space)  # before the messages: no worker makes episodes or summaries again
    _import_summaries(store, folder, space, summary_ids)
    _import_messages(store, drafts, folder, space, counter)
    _import_pins(store, folder, space)
    import_facts(store, folder, space, fact_ids, counter.add)
    _import_sources(store, folder, space)
    distilled.import_consolidations(store, folder, space)
    import_batches(folder / "accesses.json", records.decode_access, partial(store.accesses.restore, space), BATCH)
    import_batches(folder / "feedback.json", records.decode_feedback, partial(store.feedback.restore, space), BATCH)
    decode_item = partial(records.decode_item, space)
    import_batches(folder / "items.json", decode_item, partial(store.items.restore, space), BATCH)
    for conversation in conversations:
        if conversation.expires_at is not None:
            store.conversations.expire(space, conversation.id, conversation.expires_at)
    if manifest.get("hold") is not None:
        store.retention.place(_hold(space, manifest["hold"]), None)
    return space


class ProgressCounter:
    """Counts records and reports the progress."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def add(self, count: int) -> None:
        self._done += count
        self._progress(self._done, self._total)


def _hold(space: str, record: Json) -> Hold:
    if not isinstance(record, dict):
        raise InvalidInput("the hold in manifest.json must be an object")
    return decode(Hold, record, {"by": validate.name, "reason": validate.non_blank}, space=space)


def _setting(record: JsonRecord) -> tuple[str, Json]:
    name = validate.name(required(record, "name"), "a setting's name")
    if name.startswith(PREFERENCE):
        return name, stored_schema(parse_schema(name.removeprefix(PREFERENCE), required(record, "value")))
    return name, validate_setting(name, required(record, "value"))


def _manifest(folder: Path) -> JsonRecord:
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
        raise InvalidInput(
            f"{', '.join(f'{name} is missing' for name in missing)} in {folder}; copy all files of the export"
        )
    return manifest


def _needed_files(manifest: JsonRecord) -> Sequence[str]:
    if manifest["version"] >= VERSION_WITH_FILE_LIST:
        return texts(required(manifest, "files"), "files")
    return ("summaries.json", "accesses.json") if manifest["version"] > VERSION_WITHOUT_LEDGER else ()


def _import_messages(store: Store, drafts: DraftBuilder, folder: Path, space: str, counter: ProgressCounter) -> None:
    read = distilled.read_progress(folder)
    pairs = _with_chunks(read_records_of(folder / "messages.json"), read_records_of(folder / "chunks.json"))
    for batch in batches(pairs, BATCH):
        decoded = [records.decode_message(record, chunks) for record, chunks in batch]
        indexed = [(conversation, replace(draft, chunks=drafts.terms(draft))) for conversation, draft in decoded]
        store.messages.restore(space, indexed, read)
        counter.add(len(batch))


def _import_pins(store: Store, folder: Path, space: str) -> None:
    """Imports pins, except automatic pins that this store already has with the same content."""
    for conversation, pin in parse_records(folder / "pins.json", records.decode_pin):
        if store.pins.get(space, conversation, pin.id) is not None:
            continue
        present = store.pins.list(space, conversation, None) if pin.reason is not None else []
        if not any(other.reason is not None and other.content == pin.content for other in present):
            store.pins.save(space, conversation, pin)


def _import_summaries(store: Store, folder: Path, space: str, own: frozenset[str]) -> None:
    import_batches(
        folder / "summaries.json",
        partial(records.decode_summary, space),
        lambda batch: store.transfer.import_summaries(batch, own),
        BATCH,
    )


def _import_sources(store: Store, folder: Path, space: str) -> None:
    """Imports the sources of episodes and summaries, after the sources themselves."""
    sources = parse_records(folder / "episodes.json", distilled.decode_sources)
    store.transfer.import_sources(space, "episode", dict(sources))
    for batch in batches(parse_records(folder / "summaries.json", distilled.decode_sources), BATCH):
        store.transfer.import_sources(space, "summary", dict(batch))


def _ids(path: Path) -> frozenset[str]:
    return frozenset(parse_records(path, partial(required_name, field="id")))


def _with_chunks(
    messages: Iterator[JsonRecord], chunks: Iterator[JsonRecord]
) -> Iterator[tuple[JsonRecord, Sequence[JsonRecord]]]:
    """Each message with its chunks. Both files are in the same order, so neither is held in memory."""
    by_message = groupby(chunks, key=lambda chunk: required(chunk, "message"))
    owner, group = next(by_message, (None, iter(())))
    for message in messages:
        if owner != required(message, "id"):
            yield message, ()
            continue
        yield message, list(group)
        owner, group = next(by_message, (None, iter(())))
    if owner is not None:
        raise InvalidInput(f"chunks.json has chunks of {owner!r}, which is not in messages.json at that place")
