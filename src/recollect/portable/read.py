"""Puts an exported space back: the same records, ids and times. Repeating it changes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, islice
from pathlib import Path

from recollect.errors import InvalidInput
from recollect.ingest.append import Drafts
from recollect.models import Json
from recollect.portable import profile, records
from recollect.portable.stream import items
from recollect.portable.write import FORMAT, VERSION
from recollect.ports import Progress, Store
from recollect.records import MessageDraft
from recollect.settings import Value
from recollect.settings import accept as setting_value
from recollect.text import accept

BATCH = 500  # messages, or accesses, in one transaction
WITHOUT_LEDGER = 1  # the version that had no summaries and no accesses


def read_space(store: Store, drafts: Drafts, folder: Path, name: str | None, progress: Progress) -> str:
    """Imports `folder` as the space `name`, or under the name that it was exported with."""
    manifest = _manifest(folder)
    space = accept.name(records.needed(manifest, "space") if name is None else name, "space")
    made = accept.moment(records.needed(manifest, "created_at"), "created_at")
    settings = [_setting(record) for record in items(folder / "settings.json")]
    conversations = [records.to_conversation(space, record) for record in items(folder / "conversations.json")]
    store.spaces.start(space, made)
    for setting, value in settings:
        if setting not in store.preferences.all(space):
            store.preferences.set(space, setting, value, made)
    for conversation in conversations:
        store.conversations.start(conversation)
    _messages(store, drafts, folder, space, progress)
    _pins(store, folder, space)
    if manifest["version"] > WITHOUT_LEDGER:
        _summaries(store, folder, space)
        _accesses(store, folder, space)
    profile.read(store, folder, space)
    return space


def _setting(record: Mapping[str, Json]) -> tuple[str, Value]:
    name = accept.name(records.needed(record, "name"), "a setting's name")
    return name, setting_value(name, records.needed(record, "value"))


def _conversation(record: Mapping[str, Json]) -> str:
    return accept.name(records.needed(record, "conversation"), "conversation")


def _manifest(folder: Path) -> Mapping[str, Json]:
    path = folder / "manifest.json"
    if not path.is_file():
        raise InvalidInput(f"{str(folder)!r} is not an exported space: it has no manifest.json")
    try:
        manifest = json.loads(path.read_text("utf-8"))
    except ValueError as exc:
        raise InvalidInput(f"{path} is not JSON: {exc}") from exc
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise InvalidInput(f"{path} is not the manifest of an exported space")
    if manifest.get("version") not in range(1, VERSION + 1):
        raise InvalidInput(
            f"{path} has version {manifest.get('version')}, this recollect reads up to {VERSION}; upgrade it"
        )
    return manifest


def _messages(store: Store, drafts: Drafts, folder: Path, space: str, progress: Progress) -> None:
    total, done = 0, 0
    for _ in items(folder / "messages.json"):
        total += 1
    pairs = _with_chunks(items(folder / "messages.json"), items(folder / "chunks.json"))
    for conversation, group in groupby(pairs, key=lambda pair: _conversation(pair[0])):
        batch = []
        for record, chunks in group:
            draft = records.to_message(record, chunks)
            batch.append(replace(draft, chunks=drafts.terms(draft)))
            if len(batch) == BATCH:
                done += _append(store, space, conversation, batch)
                progress(done, total)
        done += _append(store, space, conversation, batch)
        progress(done, total)


def _pins(store: Store, folder: Path, space: str) -> None:
    for record in items(folder / "pins.json"):
        pin, owner = records.to_pin(record), _conversation(record)
        if store.pins.get(space, owner, pin.id) is None:
            store.pins.save(space, owner, pin)


def _summaries(store: Store, folder: Path, space: str) -> None:
    for record in items(folder / "summaries.json"):
        summary = records.to_summary(space, record)
        if store.summaries.get(space, summary.conversation, summary.id) is None:
            store.summaries.save(summary)


def _accesses(store: Store, folder: Path, space: str) -> None:
    found = (records.to_access(record) for record in items(folder / "accesses.json"))
    while batch := list(islice(found, BATCH)):
        store.accesses.restore(space, batch)


def _append(store: Store, space: str, conversation: str, batch: list[MessageDraft]) -> int:
    count = len(batch)
    if batch:
        store.messages.append(space, conversation, batch, batch[-1].created_at)
        batch.clear()
    return count


def _with_chunks(
    messages: Iterator[Mapping[str, Json]], chunks: Iterator[Mapping[str, Json]]
) -> Iterator[tuple[Mapping[str, Json], Sequence[Mapping[str, Json]]]]:
    """Each message with its chunks. Both files are in the same order, so neither is held in memory."""
    by_message = groupby(chunks, key=lambda chunk: records.needed(chunk, "message"))
    owner, own = next(by_message, (None, iter(())))
    for message in messages:
        if owner != records.needed(message, "id"):
            yield message, ()
            continue
        yield message, list(own)
        owner, own = next(by_message, (None, iter(())))
    if owner is not None:
        raise InvalidInput(f"chunks.json has chunks of {owner!r}, which does not follow in messages.json")
