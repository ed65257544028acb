"""What of a space is in the target already, and whether a newer copy may take its place.

A space that is as the last copy has left it was not touched since: it may be replaced. All else is somebody's work.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from recollect.errors import ConflictError
from recollect.models import Json
from recollect.portable.digest import Digest, checksums, differing, digests
from recollect.portable.stream import parsed
from recollect.portable.write import write_space
from recollect.ports import Store
from recollect.records import LastCopy

Mark = Callable[[Mapping[str, Json]], str | None]  # what tells a record from others; None where it may differ
BESIDE = {"manifest", "accesses"}  # which files there are, and what was handed out: no work of anybody's


@dataclass(frozen=True, slots=True)
class Present:
    """A space in the target: its records in a folder, how it was copied last, and the cursor of its changes."""

    folder: Path
    digests: dict[str, Digest]
    last: LastCopy | None
    cursor: int


def present(store: Store, space: str, folder: Path) -> Present | None:
    if store.spaces.get(space) is None:
        return None
    cursor = store.feed.read(space, None, None, 1).cursor
    write_space(store, space, folder, _unwatched)
    return Present(folder, digests(folder), store.copies.last(space), cursor)


def has_more(there: Present, space: str, ours: Path, address: str) -> bool:
    """Whether it has something that the source no longer has; ConflictError where somebody has put it there."""
    unknown = _unknown(ours, there.folder)
    if there.last is None or there.last.digests is None:
        if unknown or there.last is None:
            found = [unknown] if unknown else differing(checksums(digests(ours)), checksums(there.digests))
            raise _refused(space, address, "with other data", found)
        return False
    if used := touched(there):
        raise _refused(space, address, "that was used since it was copied, with other data", sorted(used))
    return unknown is not None


def touched(there: Present) -> set[str]:
    """The kinds of record that are not as the last copy has left them."""
    known = there.last.digests if there.last is not None else None
    return set(differing(known or {}, checksums(there.digests))) - BESIDE


def _refused(space: str, address: str, what: str, kinds: Sequence[str]) -> ConflictError:
    named = ", ".join(f"its {kind}" for kind in kinds)
    return ConflictError(
        f"{address} has a space {space!r} {what} ({named}); nothing was added. Copy into another store, or give up "
        "what is there: `recollect copy … --space NAME --replace`, copy_to(…, spaces=[…], replace=True)",
        id=space,
    )


def _unknown(ours: Path, theirs: Path) -> str | None:
    """The first kind of which the target has a record that the source does not have."""
    for kind, mark in MARKS.items():
        known = set(parsed(ours / f"{kind}.json", mark))
        if any(found is not None and found not in known for found in parsed(theirs / f"{kind}.json", mark)):
            return kind
    return None


def _id(record: Mapping[str, Json]) -> str:
    return str(record.get("id"))


def _whole(record: Mapping[str, Json]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def _by_hand(record: Mapping[str, Json]) -> str | None:
    return _id(record) if record.get("method") == "manual" else None


def _unwatched(_done: int, _total: int) -> None: ...


MARKS: Mapping[str, Mark] = {
    "conversations": _id,
    "messages": _whole,
    "pins": lambda record: _whole(record) if record.get("reason") is None else None,
    "facts": _by_hand,
    "episodes": _by_hand,
    "settings": _whole,
    "profile": _whole,
    "audit": _id,
}
