"""A space as a folder of JSON files, one kind of record each."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from recollect.errors import InvalidInput, NotFound
from recollect.models import ConversationInfo, Json
from recollect.portable import profile, records
from recollect.ports import Progress, Store

FORMAT = "recollect-space"
VERSION = 2  # 1 had no summaries and no accesses
PAGE = 500


def write_space(store: Store, space: str, folder: Path, progress: Progress) -> Path:
    """Writes the space into `folder`, which must be new or empty: it appears whole or not at all."""
    info = store.spaces.get(space)
    if info is None:
        raise NotFound(f"there is no space {space!r} to export")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInput(f"{str(folder)!r} is there already; export into a new or empty folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        conversations = list(_conversations(store, space))
        _write(unfinished, "conversations", [records.of_conversation(one) for one in conversations])
        _write_messages(store, space, unfinished, lambda done: progress(done, info.messages))
        _write(unfinished, "pins", _pins(store, space, conversations))
        _write(unfinished, "summaries", _summaries(store, space, conversations))
        _write(unfinished, "accesses", map(records.of_access, store.accesses.all(space)))
        _write(unfinished, "settings", [{"name": n, "value": v} for n, v in store.preferences.all(space).items()])
        for name, found in profile.found(store, space):
            _write(unfinished, name, found)
        manifest = {"format": FORMAT, "version": VERSION, "space": space, "created_at": info.created_at.isoformat()}
        (unfinished / "manifest.json").write_text(json.dumps(manifest, ensure_ascii=False, indent=2) + "\n", "utf-8")
        unfinished.chmod(0o755)
        os.replace(unfinished, folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    return folder


def _conversations(store: Store, space: str) -> Iterator[ConversationInfo]:
    after: str | None = None
    while page := store.conversations.list(space, PAGE, after, None):
        yield from page
        after = page[-1].id


def _pins(store: Store, space: str, conversations: list[ConversationInfo]) -> Iterator[Json]:
    for conversation in conversations:
        for pin in store.pins.list(space, conversation.id, None):
            yield records.of_pin(conversation.id, pin)


def _summaries(store: Store, space: str, conversations: list[ConversationInfo]) -> Iterator[Json]:
    """Those that are made, or failed; one in the making is work of this store, as its jobs are."""
    for conversation in conversations:
        for summary in store.summaries.list(space, conversation.id, None, None, None):
            if summary.status != "processing":
                yield records.of_summary(summary)


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


class Array:
    """A JSON array in a file, one record a line: easy to read, to compare and to stream."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._before = "[\n"

    def add(self, record: Json) -> None:
        self._file.write(self._before + json.dumps(record, ensure_ascii=False))
        self._before = ",\n"

    def end(self) -> None:
        self._file.write("\n]\n" if self._before != "[\n" else "[]\n")


@contextmanager
def _array(folder: Path, name: str) -> Iterator[Array]:
    with (folder / f"{name}.json").open("w", encoding="utf-8") as file:
        array = Array(file)
        yield array
        array.end()
