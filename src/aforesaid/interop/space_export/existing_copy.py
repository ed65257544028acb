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


def checksums(exported: Mapping[str, FileDigest]) -> dict[str, str]:
    return {kind: digest.checksum for kind, digest in exported.items()}


def differing_kinds(ours: Mapping[str, object], theirs: Mapping[str, object]) -> list[str]:
    """The kinds of record that differ between two exports."""
    return sorted(kind for kind in ours.keys() | theirs.keys() if ours.get(kind) != theirs.get(kind))


def _digest(file: Path) -> FileDigest:
    checksum, records = hashlib.sha256(), 0
    with file.open("rb") as lines:
        for line in lines:
            checksum.update(line)
            records += line.startswith(b"{")
    return FileDigest(records, checksum.hexdigest())


IGNORED_KINDS = {"manifest", "accesses"}  # the list of files, and the counts of recalls: no user wrote them


@dataclass(frozen=True, slots=True)
class ExistingCopy:
    """A space in the target: an export of it, the record of its last copy, and the cursor of its changes."""

    folder: Path
    digests: dict[str, FileDigest]
    last: CopyRecord | None
    cursor: int


def find(store: Store, space: str, folder: Path) -> ExistingCopy | None:
    """Exports the space into `folder`. Returns None if the store does not have it."""
    if store.spaces.get(space) is None:
        return None
    cursor = store.feed.read(space, None, None, 1).cursor
    write_space(store, space, folder)
    return ExistingCopy(folder, digests(folder), store.copies.last(space), cursor)


def has_more(present: ExistingCopy, space: str, ours: Path, address: str) -> bool:
    """Returns True if the target has records that the source lacks. Raises ConflictError if users added them."""
    unknown = _unknown_kind(ours, present.folder)
    if present.last is None or present.last.digests is None:
        if unknown or present.last is None:
            kinds = [unknown] if unknown else differing_kinds(checksums(digests(ours)), checksums(present.digests))
            raise _conflict(space, address, "with other data", kinds)
        return False
    if changed := changed_kinds(present):
        raise _conflict(space, address, "that was used since it was copied, with other data", sorted(changed))
    return unknown is not None


def changed_kinds(present: ExistingCopy) -> set[str]:
    """The kinds of record that changed since the last copy."""
    known = present.last.digests if present.last is not None else None
    return set(differing_kinds(known or {}, checksums(present.digests))) - IGNORED_KINDS


def _conflict(space: str, address: str, what: str, kinds: Sequence[str]) -> ConflictError:
    named = ", ".join(f"its {kind}" for kind in kinds)
    return ConflictError(
        f"{address} has a space {space!r} {what} ({named}); nothing was added. Copy into another store, or replace "
        "that space: `aforesaid copy … --space NAME --replace`, copy_to(…, spaces=[…], replace=True)",
        id=space,
    )


def _unknown_kind(ours: Path, theirs: Path) -> str | None:
    """The first kind of which the target has a record that the source does not have."""
    for kind, identity in IDENTITIES.items():
        known = set(parse_records(ours / f"{kind}.json", identity))
        if any(id is not None and id not in known for id in parse_records(theirs / f"{kind}.json", identity)):
            return kind
    return None


def _id(record: Mapping[str, Json]) -> str:
    return str(record.get("id"))


def _record_digest(record: Mapping[str, Json]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def _manual_id(record: Mapping[str, Json]) -> str | None:
    return _id(record) if record.get("method") == "manual" else None


# The identity of a record by kind; None for a record that may differ.
IDENTITIES: Mapping[str, Callable[[Mapping[str, Json]], str | None]] = {
    "conversations": _id,
    "messages": _record_digest,
    "pins": lambda record: _record_digest(record) if record.get("reason") is None else None,
    "facts": _manual_id,
    "episodes": _manual_id,
    "settings": _record_digest,
    "profile": _record_digest,
    "audit": _id,
    "items": _record_digest,
}
