"""Writes a space as a folder of JSON files, one per kind of record. The folder appears complete or not at all.

The export reads one snapshot. Messages keep their order, so a second export has the same bytes.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TextIO

from aforesaid.errors import InvalidInput, NotFound
from aforesaid.interop.space_export import distilled, episodes, facts, profile, records
from aforesaid.models.conversation import ConversationInfo
from aforesaid.models.json import Json
from aforesaid.models.space import SpaceInfo
from aforesaid.ports import Progress
from aforesaid.storage.store import Store

FORMAT = "aforesaid-space"
VERSION = 3  # 1 had no summaries and no accesses, 2 nothing of facts and no list of its files
PAGE = 500


def write_space(store: Store, space: str, folder: Path, progress: Progress) -> Path:
    """Writes the space into `folder`, which must be new or empty. The folder appears complete or not at all."""
    info = store.spaces.get(space)
    if info is None:
        raise NotFound(f"there is no space {space!r} to export")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInput(f"{str(folder)!r} is there already; export into a new or empty folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        with store.snapshot():
            _write_all(store, info, unfinished, progress)
        unfinished.chmod(0o755)
        os.replace(unfinished, folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    return folder


def _write_all(store: Store, info: SpaceInfo, folder: Path, progress: Progress) -> None:
    space, conversations = info.id, list(_conversations(store, info.id))
    _write(folder, "conversations", map(records.of_conversation, conversations))
    _write_messages(store, space, folder, lambda done: progress(done, info.messages))
    _write(folder, "pins", _pins(store, space, conversations))
    _write(folder, "summaries", _summaries(store, space, conversations))
    _write(folder, "accesses", map(records.of_access, store.accesses.all(space)))
    _write(folder, "settings", [{"name": n, "value": v} for n, v in store.preferences.all(space).items()])
    _write_nonempty(folder, facts.FILE, facts.found(store, space))
    _write_nonempty(folder, distilled.PROGRESS, distilled.progress(store, space, conversations))
    _write_nonempty(folder, distilled.CONSOLIDATIONS, distilled.consolidations(store, space))
    for name, found in (*profile.found(store, space), *episodes.found(store, space, conversations)):
        _write_nonempty(folder, name, iter(found))
    files = sorted(file.name for file in folder.iterdir())
    made = info.created_at.isoformat()
    manifest = {"format": FORMAT, "version": VERSION, "space": space, "created_at": made, "files": files}
    (folder / "manifest.json").write_text(json.dumps(manifest, ensure_ascii=False, indent=2) + "\n", "utf-8")


def _conversations(store: Store, space: str) -> Iterator[ConversationInfo]:
    after: str | None = None
    while page := store.conversations.list(space, PAGE, after, None):
        yield from page
        after = page[-1].id


def _pins(store: Store, space: str, conversations: list[ConversationInfo]) -> Iterator[Json]:
    """In reverse order, so that pins of equal importance keep their order after an import."""
    for conversation in conversations:
        for pin in reversed(store.pins.list(space, conversation.id, None)):
            yield records.of_pin(conversation.id, pin)


def _summaries(store: Store, space: str, conversations: list[ConversationInfo]) -> Iterator[Json]:
    """Completed and failed summaries. Unfinished ones belong to the jobs of this store."""
    for conversation in conversations:
        for summary in store.summaries.list(space, conversation.id, None, None, None):
            if summary.status != "processing":
                yield records.of_summary(summary, store.transfer.sources(space, "summary", summary.id))


def _write_messages(store: Store, space: str, folder: Path, progress: Callable[[int], None]) -> None:
    with _array(folder, "messages") as messages, _array(folder, "chunks") as chunks:
        for done, (conversation, draft) in enumerate(store.messages.drafts(space), 1):
            messages.add(records.of_message(conversation, draft))
            for part, chunk in enumerate(draft.chunks):
                chunks.add(records.of_chunk(draft.id, part, chunk))
            progress(done)


def _write(folder: Path, name: str, found: Iterable[Json]) -> None:
    with _array(folder, name) as array:
        for record in found:
            array.add(record)


def _write_nonempty(folder: Path, name: str, found: Iterator[Json]) -> None:
    """Writes no file if there are no records."""
    for first in found:
        _write(folder, name, chain([first], found))


class JsonArrayWriter:
    """Writes a JSON array, one record per line: easy to read, to compare and to stream."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._before = "[\n"

    def add(self, record: Json) -> None:
        self._file.write(self._before + json.dumps(record, ensure_ascii=False))
        self._before = ",\n"

    def end(self) -> None:
        self._file.write("\n]\n" if self._before != "[\n" else "[]\n")


@contextmanager
def _array(folder: Path, name: str) -> Iterator[JsonArrayWriter]:
    with (folder / f"{name}.json").open("w", encoding="utf-8") as file:
        array = JsonArrayWriter(file)
        yield array
        array.end()
