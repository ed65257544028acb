"""A store moves into another one, space by space: written out, read in, written out again and compared.

What was copied before is left as it is, so a copy that was broken off is completed by repeating it.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from recollect.errors import ConflictError, InvalidInput, NotFound
from recollect.ingest.append import Drafts
from recollect.models import Consent, Copied, CopiedSpace, Json, SpaceInfo
from recollect.portable import profile
from recollect.portable.digest import Digest, differing, digests
from recollect.portable.read import read_records
from recollect.portable.stream import parsed
from recollect.portable.write import write_space
from recollect.ports import Progress, Store

PAGE = 500
Wanted = Sequence[str] | None  # the names of spaces; None: all of them
Tell = Callable[[CopiedSpace], object]
Mark = Callable[[Mapping[str, Json]], str | None]  # what tells a record from others; None where it may differ


@dataclass(frozen=True, slots=True)
class Target:
    """The store that is copied into, and how its drafts are made."""

    store: Store
    drafts: Drafts


def copy_store(source: Store, target: Target, wanted: Wanted, progress: Progress, tell: Tell) -> Copied:
    """Copies these spaces, or every space and every key; ConflictError where the target has something else under the
    same name."""
    found = list(_spaces(source) if wanted is None else _named(source, wanted))
    total, done, written, records = sum(info.messages for info in found), 0, Counter[bool](), Counter[str]()
    keys = copy_keys(source, target) if wanted is None else 0
    for info in found:
        copied = copy_space(source, target, info.id, partial(_beyond, progress, (done, info.messages, total)))
        done += info.messages
        written[copied.written] += 1
        records.update(copied.records)
        progress(done, total)
        tell(copied)
    return Copied(written.total(), written[False], keys, dict(records))


def copy_space(source: Store, target: Target, space: str, progress: Progress) -> CopiedSpace:
    """Copies one space, and proves by a second export that it is the same there. A copy that was made earlier, of which
    all is in the source too, is completed, or made anew where the source has changed since."""
    with TemporaryDirectory(prefix="recollect-copy-") as made:
        ours, theirs, after, anew = (Path(made) / name for name in ("ours", "theirs", "after", "anew"))
        consent = source.profiles.consent(space)
        write_space(source, space, ours, _unwatched)
        wanted, present = digests(ours), target.store.spaces.get(space) is not None
        if present:
            write_space(target.store, space, theirs, _unwatched)
            if digests(theirs) == wanted:
                return _copied(space, wanted, written=False)
            _refuse_other(space, ours, theirs, target.store.address)
        try:
            found = _put(target, consent, ours, after, progress)
        except InvalidInput as exc:  # it was stored when more could be
            raise InvalidInput(f"space {space!r} does not fit into {target.store.address}: {exc}") from exc
        if present and found != wanted:
            target.store.spaces.delete(space)
            found = _put(target, consent, ours, anew, progress)
        _compare(space, wanted, found, target.store.address)
    return _copied(space, wanted, written=True)


def _put(target: Target, consent: Consent, folder: Path, after: Path, progress: Progress) -> dict[str, Digest]:
    """Reads a space in; says what is there then."""
    space = read_records(target.store, target.drafts, folder, None, progress)
    profile.move(target.store, folder, space, consent)
    write_space(target.store, space, after, _unwatched)
    return digests(after)


def copy_keys(source: Store, target: Target) -> int:
    """Copies the digests of keys, and what was revoked; says how many there are."""
    for key in source.keys.list():
        found, there = source.keys.get(key.id), target.store.keys.get(key.id)
        if found is None:
            continue
        if there is None:
            target.store.keys.add(*found)
        elif there[1] != found[1]:
            raise ConflictError(f"{target.store.address} has another key {key.id!r}", id=key.id)
        if key.revoked_at is not None:
            target.store.keys.revoke(key.id, key.revoked_at)
    return len(source.keys.list())


def _spaces(store: Store) -> Iterator[SpaceInfo]:
    after: str | None = None
    while page := store.spaces.list(PAGE, after):
        yield from page
        after = page[-1].id


def _named(store: Store, wanted: Sequence[str]) -> Iterator[SpaceInfo]:
    for name in dict.fromkeys(wanted):
        info = store.spaces.get(name)
        if info is None:
            raise NotFound(f"{store.address} has no space {name!r} to copy")
        yield info


def _refuse_other(space: str, ours: Path, theirs: Path, name: str) -> None:
    """What somebody has put into the target himself is neither mixed with the source's nor taken for it."""
    for kind, mark in MARKS.items():
        known = set(parsed(ours / f"{kind}.json", mark))
        if any(found is not None and found not in known for found in parsed(theirs / f"{kind}.json", mark)):
            raise ConflictError(
                f"{name} has a space {space!r} with other data (its {kind}); nothing was added. Copy into another "
                "store, or remove that space there first: Memory(…).space(…).delete()",
                id=space,
            )


def _compare(space: str, wanted: dict[str, Digest], found: dict[str, Digest], name: str) -> None:
    kinds = differing(wanted, found)
    if kinds:
        raise ConflictError(
            f"space {space!r} is not the same in {name}: {', '.join(kinds)} differ. Is somebody writing to it there?",
            id=space,
        )


def _copied(space: str, found: Mapping[str, Digest], *, written: bool) -> CopiedSpace:
    records = {kind: digest.records for kind, digest in found.items() if kind != "manifest"}
    return CopiedSpace(space, records, {kind: digest.checksum for kind, digest in found.items()}, written)


def _id(record: Mapping[str, Json]) -> str:
    return str(record.get("id"))


def _whole(record: Mapping[str, Json]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def _beyond(progress: Progress, counts: tuple[int, int, int], done: int, _: int) -> None:
    """Counts a space's messages on from those of the spaces before it."""
    before, own, total = counts
    progress(min(before + min(done, own), total), total)


def _unwatched(_done: int, _total: int) -> None: ...


MARKS: Mapping[str, Mark] = {
    "conversations": _id,
    "messages": _whole,
    "pins": lambda record: _id(record) if record.get("reason") is None else None,
    "facts": lambda record: _id(record) if record.get("method") == "manual" else None,
    "settings": _whole,
    "profile": _whole,
    "audit": _id,
}
