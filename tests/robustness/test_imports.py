"""Tests that importing a damaged export fails with a reason instead of a crash."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aforesaid import AforesaidError, InvalidInput, Memory


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Memory(tmp_path / "source.db", worker=False) as mem:
        chat = mem.space("s").conversation("c")
        chat.add("user", "the heron by the lake", name="ann")
        chat.add("assistant", None, tool_calls=[{"id": "1"}])
        chat.pin("forty euros")
        mem.space("s").set("chunk_tokens", 100)
        return mem.space("s").export(tmp_path / "out")


def changed(folder: Path, file: str, change: Callable[[Any], Any]) -> None:
    path = folder / f"{file}.json"
    path.write_text(json.dumps(change(json.loads(path.read_text("utf-8")))), "utf-8")


def first(**fields: Any) -> Callable[[list[dict[str, Any]]], list[dict[str, Any]]]:
    return lambda records: [records[0] | fields, *records[1:]]


def without(field: str) -> Callable[[Any], Any]:
    def drop(value: Any) -> Any:
        records = value if isinstance(value, list) else [value]
        for record in records:
            del record[field]
        return value

    return drop


DAMAGE = {
    "manifest-list": ("manifest", lambda _: []),
    "manifest-no-space": ("manifest", without("space")),
    "manifest-no-time": ("manifest", without("created_at")),
    "manifest-newer": ("manifest", lambda manifest: manifest | {"version": 99}),
    "no-array": ("messages", lambda records: records[0]),
    "no-records": ("messages", lambda _: [1, 2]),
    "no-id": ("messages", without("id")),
    "no-conversation": ("messages", without("conversation")),
    "role": ("messages", first(role="robot")),
    "surrogate-name": ("messages", first(name="\ud800")),
    "nul-name": ("messages", first(name="a\0b")),
    "number-name": ("messages", first(name=5)),
    "surrogate-text": ("messages", first(content="\ud800")),
    "number-text": ("messages", first(content=5)),
    "part-without-text": ("messages", first(content=[{"type": "text"}])),
    "calls": ("messages", first(tool_calls="call")),
    "seq": ("messages", first(seq=-1)),
    "huge-seq": ("messages", first(seq=2**63)),
    "importance": ("messages", first(importance=7)),
    "naive": ("messages", first(created_at="2026-01-01T00:00:00")),
    "chunk-outside": ("chunks", first(stop=10_000)),
    "chunk-backwards": ("chunks", first(start=5, stop=2)),
    "chunk-kind": ("chunks", first(kind="song")),
    "chunk-of-nobody": ("chunks", first(message="nobody")),
    "status": ("conversations", first(status="lost")),
    "title": ("conversations", first(title=5)),
    "pin-type": ("pins", first(type="sticky")),
    "pin-empty": ("pins", first(content=" ")),
    "setting-unknown": ("settings", first(name="colour")),
    "setting-value": ("settings", first(value="many")),
}


@pytest.mark.req("B16")
@pytest.mark.parametrize(("file", "change"), DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_export_is_refused_with_a_reason(mem, folder, file, change, healthy):
    changed(folder, file, change)
    with pytest.raises(InvalidInput):
        mem.import_space(folder)
    mem.space("s").settings()
    mem.flush()
    healthy(mem)


@pytest.mark.req("B16")
@pytest.mark.parametrize("file", ["manifest", "conversations", "messages", "chunks", "pins", "settings"])
@pytest.mark.parametrize("damage", ["missing", "cut", "binary", "empty"])
def test_a_broken_file_is_refused_by_name(mem, folder, file, damage):
    path = folder / f"{file}.json"
    whole = path.read_bytes()
    path.unlink()
    if damage != "missing":
        path.write_bytes({"cut": whole[: len(whole) // 2], "binary": b"\xff\xfe\x00\x9f", "empty": b""}[damage])
    with pytest.raises(InvalidInput, match=f"{file}\\.json"):
        mem.import_space(folder)


@pytest.mark.req("B16")
@pytest.mark.parametrize("target", ["nul\0byte", "\ud800", "x" * 5000])
def test_an_invalid_folder_is_refused(mem, folder, target):
    mem.import_space(folder)
    with pytest.raises((AforesaidError, OSError)):
        mem.space("s").export(folder.parent / target)
    with pytest.raises((AforesaidError, OSError)):
        mem.import_space(folder.parent / target)
