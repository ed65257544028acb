"""Writes a space as a folder of JSON files, one per kind of record. The folder appears complete or not at all.

The export reads one snapshot. Messages keep their order, so a second export has the same bytes.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import chain
from pathlib import Path

from aforesaid.errors import InvalidInput, NotFound, StoreDamaged
from aforesaid.interop.space_export import distilled, facts
from aforesaid.interop.space_export.codec import encode
from aforesaid.interop.space_export.profile import export_profile
from aforesaid.interop.space_export.records import encode_message
from aforesaid.models.conversation import ConversationInfo
from aforesaid.models.json import Json
from aforesaid.models.space import SpaceInfo
from aforesaid.ports import Progress
from aforesaid.storage.store import Store

FORMAT = "aforesaid-space"
VERSION = 3  # 1 had no summaries and no accesses, 2 nothing of facts and no list of its files
PAGE = 500
DAMAGED = "damaged"  # the file that names what was left out

log = logging.getLogger(__name__)


def write_space(
    store: Store,
    space: str,
    folder: Path,
    progress: Progress = lambda _done, _total: None,
    *,
    damaged: list[StoreDamaged] | None = None,
) -> Path:
    """Writes the space into `folder`, which must be new or empty. The folder appears complete or not at all. Leaves out
    damaged records, names them in `damaged.json` and adds them to `damaged`; raises StoreDamaged if that is None."""
    info = store.spaces.get(space)
    if info is None:
        raise NotFound(f"there is no space {space!r} to export")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInput(f"{str(folder)!r} already exists; export into a new or empty folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with store.temporary_files.unfinished(folder) as unfinished:
        unfinished.mkdir(mode=0o700)
        with store.snapshot():
            _write_all(store, info, unfinished, progress, damaged)
        unfinished.chmod(0o755)
        if folder.exists():
            folder.rmdir()  # Windows does not replace a folder, not even an empty one
        os.replace(unfinished, folder)
    return folder


def _write_all(
    store: Store, info: SpaceInfo, folder: Path, progress: Progress, damaged: list[StoreDamaged] | None
) -> None:
    space, conversations = info.id, list(_conversations(store, info.id))
    _write_messages(store, space, folder, lambda done: progress(done, info.messages), damaged)
    unproven = {exc.id for exc in damaged or () if exc.id is not None}
    for name, records in _always_written(store, space, conversations).items():
        _write(folder, name, _readable(records, damaged))
    for name, each in _written_if_any(store, space, conversations, unproven).items():
        records = iter(_readable(each, damaged))
        for first in records:  # writes no file if there are no records
            _write(folder, name, chain([first], records))
    if damaged:
        _write(folder, DAMAGED, map(_encode_damaged, damaged))
        log.warning("damaged records left out", extra={"action": "export_damaged", "count": len(damaged)})
    manifest: dict[str, Json] = {
        "format": FORMAT,
        "version": VERSION,
        "space": space,
        "created_at": info.created_at.isoformat(),
        "files": sorted(file.name for file in folder.iterdir()),
    }
    if (hold := store.retention.hold(space)) is not None:
        manifest["hold"] = encode(hold, "space")
    text = json.dumps(manifest, ensure_ascii=False, indent=2, default=datetime.isoformat)
    (folder / "manifest.json").write_text(text + "\n", "utf-8", newline="\n")


def _always_written(store: Store, space: str, conversations: list[ConversationInfo]) -> dict[str, Iterable[Json]]:
    accesses = store.accesses.all(space)
    return {
        "conversations": (encode(conversation, "space") for conversation in conversations),
        "pins": _pins(store, space, conversations),
        "summaries": _summaries(store, space, conversations),
        "accesses": ({"message": access.message_id} | encode(access, "message_id") for access in accesses),
        "settings": ({"name": name, "value": value} for name, value in sorted(store.preferences.all(space).items())),
    }


def _readable(records: Iterable[Json], damaged: list[StoreDamaged] | None) -> Iterator[Json]:
    """The records up to one that cannot be read."""
    try:
        yield from records
    except StoreDamaged as exc:
        if damaged is None:
            raise
        damaged.append(exc)


def _encode_damaged(exc: StoreDamaged) -> Json:
    return {"table": exc.table, "id": exc.id, "conversation": exc.conversation, "seq": exc.seq, "error": str(exc)}


def _written_if_any(
    store: Store, space: str, conversations: list[ConversationInfo], unproven: Collection[str]
) -> dict[str, Iterator[Json]]:
    return {
        facts.FILE: facts.export_facts(store, space, unproven),
        distilled.PROGRESS: distilled.export_progress(store, space, conversations),
        "feedback": _feedback(store, space),
        "items": (encode(item, "space") for item in store.items.all(space)),
        distilled.CONSOLIDATIONS: distilled.export_consolidations(store, space),
        **export_profile(store, space),
        **distilled.export_episodes(store, space, conversations),
    }


def _conversations(store: Store, space: str) -> Iterator[ConversationInfo]:
    after: str | None = None
    while page := store.conversations.list(space, PAGE, after, None):
        yield from page
        after = page[-1].id


def _pins(store: Store, space: str, conversations: list[ConversationInfo]) -> Iterator[Json]:
    """In reverse order, so that pins of equal importance keep their order after an import."""
    for conversation in conversations:
        for pin in reversed(store.pins.list(space, conversation.id, None, shared=False)):
            yield {"conversation": conversation.id} | encode(pin)


def _summaries(store: Store, space: str, conversations: list[ConversationInfo]) -> Iterator[Json]:
    """Completed and failed summaries. Unfinished ones belong to the jobs of this store."""
    for conversation in conversations:
        for summary in store.summaries.list(space, conversation.id, None, None, None):
            if summary.status != "processing" and summary.conversation == conversation.id:
                sources = store.transfer.sources(space, "summary", summary.id)
                yield encode(summary, "space") | {"sources": distilled.encode_sources(sources)}


def _feedback(store: Store, space: str) -> Iterator[Json]:
    """Oldest first."""
    feedback = [one for own in store.feedback.latest(space, None).values() for one in own]
    for one in sorted(feedback, key=lambda one: (one.at, one.message_id, one.terms)):
        yield {"message": one.message_id} | encode(one, "message_id")


def _accesses(store: Store, space: str) -> Iterator[Json]:
    for access in store.accesses.all(space):
        yield {"message": access.message_id, "count": access.count, "last_at": access.last_at}


def _write_messages(
    store: Store, space: str, folder: Path, progress: Callable[[int], None], damaged: list[StoreDamaged] | None
) -> None:
    with _array(folder, "messages") as add_message, _array(folder, "chunks") as add_chunk:
        for done, (conversation, draft) in enumerate(store.messages.drafts(space, damaged), 1):
            add_message(encode_message(conversation, draft))
            for index, chunk in enumerate(draft.chunks):
                add_chunk({"message": draft.id, "index": index} | encode(chunk, "terms"))
            progress(done)


def _write(folder: Path, name: str, records: Iterable[Json]) -> None:
    with _array(folder, name) as add:
        for record in records:
            add(record)


@contextmanager
def _array(folder: Path, name: str) -> Iterator[Callable[[Json], None]]:
    """Writes a JSON array, one record per line: easy to read, to compare and to stream. Yields the function that adds
    a record."""
    separator = "[\n"
    with (folder / f"{name}.json").open("w", encoding="utf-8", newline="\n") as file:

        def add(record: Json) -> None:
            nonlocal separator
            file.write(separator + json.dumps(record, ensure_ascii=False, default=datetime.isoformat))
            separator = ",\n"

        yield add
        file.write("[]\n" if separator == "[\n" else "\n]\n")
