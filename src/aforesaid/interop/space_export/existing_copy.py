"""Compares exports by checksum, and decides whether a newer copy may replace the space in the target.

A space that is unchanged since the last copy may be replaced. Anything else is refused."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aforesaid.errors import ConflictError
from aforesaid.interop.json_stream import parse_records
from aforesaid.interop.space_export.write import write_space
from aforesaid.models.json import Json
from aforesaid.models.transfer import CopyRecord
from aforesaid.storage.store import Store


@dataclass(frozen=True, slots=True)
class FileDigest:
    """The number of records of a file, and the SHA-256 of its content."""

    records: int
    checksum: str


def digests(folder: Path) -> dict[str, FileDigest]:
    """The digest of each kind of record in an exported space; `manifest` is the space itself."""
    return {file.stem: _digest(file) for file in sorted(folder.glob("*.json"))}


def checksums(found: Mapping[str, FileDigest]) -> dict[str, str]:
    return {kind: digest.checksum for kind, digest in found.items()}


def differing_kinds(ours: Mapping[str, object], theirs: Mapping[str, object]) -> list[str]:
    """The kinds of record that differ between two exports."""
    return sorted(kind for kind in ours.keys() | theirs.keys() if ours.get(kind) != theirs.get(kind))


def _digest(file: Path) -> FileDigest:
    sum_, lines = hashlib.sha256(), 0
    with file.open("rb") as opened:
        for line in opened:
            sum_.update(line)
            lines += line.startswith(b"{")
    return FileDigest(lines, sum_.hexdigest())


IdentityFunction = Callable[
    [Mapping[str, Json]], str | None
]  # what tells a record from others; None where it may differ
IGNORED_KINDS = {"manifest", "accesses"}  # which files there are, and what was handed out: no work of anybody's


@dataclass(frozen=True, slots=True)
class ExistingCopy:
    """A space in the target: an export of it, the record of its last copy, and the cursor of its changes."""

    folder: Path
    digests: dict[str, FileDigest]
    last: CopyRecord | None
    cursor: int


def present(store: Store, space: str, folder: Path) -> ExistingCopy | None:
    if store.spaces.get(space) is None:
        return None
    cursor = store.feed.read(space, None, None, 1).cursor
    write_space(store, space, folder, _no_progress)
    return ExistingCopy(folder, digests(folder), store.copies.last(space), cursor)


def has_more(there: ExistingCopy, space: str, ours: Path, address: str) -> bool:
    """Returns True if the target has records that the source lacks. Raises ConflictError if users added them."""
    unknown = _unknown_kind(ours, there.folder)
    if there.last is None or there.last.digests is None:
        if unknown or there.last is None:
            found = [unknown] if unknown else differing_kinds(checksums(digests(ours)), checksums(there.digests))
            raise _conflict(space, address, "with other data", found)
        return False
    if used := touched(there):
        raise _conflict(space, address, "that was used since it was copied, with other data", sorted(used))
    return unknown is not None


def touched(there: ExistingCopy) -> set[str]:
    """The kinds of record that changed since the last copy."""
    known = there.last.digests if there.last is not None else None
    return set(differing_kinds(known or {}, checksums(there.digests))) - IGNORED_KINDS


def _conflict(space: str, address: str, what: str, kinds: Sequence[str]) -> ConflictError:
    named = ", ".join(f"its {kind}" for kind in kinds)
    return ConflictError(
        f"{address} has a space {space!r} {what} ({named}); nothing was added. Copy into another store, or give up "
        "what is there: `aforesaid copy … --space NAME --replace`, copy_to(…, spaces=[…], replace=True)",
        id=space,
    )


def _unknown_kind(ours: Path, theirs: Path) -> str | None:
    """The first kind of which the target has a record that the source does not have."""
    for kind, mark in IDENTITY.items():
        known = set(parse_records(ours / f"{kind}.json", mark))
        if any(found is not None and found not in known for found in parse_records(theirs / f"{kind}.json", mark)):
            return kind
    return None


def _id(record: Mapping[str, Json]) -> str:
    return str(record.get("id"))


def _record_digest(record: Mapping[str, Json]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def _manual_id(record: Mapping[str, Json]) -> str | None:
    return _id(record) if record.get("method") == "manual" else None


def _no_progress(_done: int, _total: int) -> None: ...


IDENTITY: Mapping[str, IdentityFunction] = {
    "conversations": _id,
    "messages": _record_digest,
    "pins": lambda record: _record_digest(record) if record.get("reason") is None else None,
    "facts": _manual_id,
    "episodes": _manual_id,
    "settings": _record_digest,
    "profile": _record_digest,
    "audit": _id,
}
