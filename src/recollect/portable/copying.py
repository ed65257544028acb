"""A store moves into another one, space by space: written out, read in, written out again and compared.

What was copied before is left as it is, so a copy that was broken off is completed by repeating it. How a space came
out is noted there: a newer copy takes its place only while it is still so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from recollect.errors import ConflictError, InvalidInput, NotFound
from recollect.ingest.append import Drafts
from recollect.models import Consent, Copied, CopiedSpace, SpaceInfo
from recollect.portable import earlier, profile
from recollect.portable.digest import Digest, checksums, differing, digests
from recollect.portable.read import read_records
from recollect.portable.write import write_space
from recollect.ports import Progress, Store

PAGE = 500
FOLDER = "recollect-copy-"
MADE = {"facts", "episodes", "pins", "pin_marks", "summaries", "progress"}  # what background work makes
Tell = Callable[[CopiedSpace], object]


@dataclass(frozen=True, slots=True)
class Target:
    """The store that is copied into, and how its drafts are made."""

    store: Store
    drafts: Drafts


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which spaces (None: all of them, and the keys); whether what is there under their names is given up; what
    background work to do at the end."""

    spaces: Sequence[str] | None
    replace: bool
    settle: Callable[[], object] | None


def copy_store(source: Store, target: Target, wanted: Wanted, progress: Progress, tell: Tell) -> Copied:
    """Copies spaces and keys. ConflictError where the target has something else under the same name, once all the
    others are copied."""
    found = list(_spaces(source) if wanted.spaces is None else _named(source, wanted.spaces))
    total, done, records, written = sum(info.messages for info in found), 0, Counter[str](), list[str]()
    refused: list[ConflictError] = []
    keys = copy_keys(source, target, refused) if wanted.spaces is None else 0
    for info in found:
        watch = partial(_beyond, progress, (done, info.messages, total))
        try:
            copied = copy_space(source, target, info, wanted.replace, watch)
        except ConflictError as exc:
            refused.append(exc)
        else:
            written += [info.id] if copied.written else []
            records.update(copied.records)
            tell(copied)
        done += info.messages
        progress(done, total)
    if wanted.settle is not None:
        wanted.settle()
        _note_again(target.store, written)
    _raise(refused)
    return Copied(len(found), len(found) - len(written), keys, dict(records))


def copy_space(source: Store, target: Target, info: SpaceInfo, replace: bool, progress: Progress) -> CopiedSpace:
    """Copies one space, and proves by a second export that it is the same there. An earlier copy that was not touched
    is completed, or made anew."""
    space, address = info.id, target.store.address
    with TemporaryDirectory(prefix=FOLDER) as made:
        ours, theirs, after, again = (Path(made) / name for name in ("ours", "theirs", "after", "again"))
        consent = source.profiles.consent(space)
        write_space(source, space, ours, _unwatched)
        wanted, there = digests(ours), earlier.present(target.store, space, theirs)
        if there is not None and there.digests == wanted:
            _note(target.store, space, wanted)
            return _copied(space, wanted, written=False)
        cursor = there.cursor if there else None
        anew = there is not None and (replace or earlier.has_more(there, space, ours, address))
        target.store.copies.begin(space, info.created_at, cursor, anew=anew)
        try:
            found, cursor = _put(target, consent, ours, after, progress)
        except InvalidInput as exc:  # it was stored when more could be
            raise InvalidInput(f"space {space!r} does not fit into {address}: {exc}") from exc
        if there is not None and found != wanted:
            target.store.copies.begin(space, info.created_at, cursor, anew=True)
            found, _ = _put(target, consent, ours, again, progress)
        _compare(space, wanted, found, address)
        _note(target.store, space, wanted)
    return _copied(space, wanted, written=True)


def _put(
    target: Target, consent: Consent, folder: Path, after: Path, progress: Progress
) -> tuple[dict[str, Digest], int]:
    """Reads a space in; says what is there then, and after which change."""
    space = read_records(target.store, target.drafts, folder, None, progress)
    profile.move(target.store, folder, space, consent)
    cursor = target.store.feed.read(space, None, None, 1).cursor
    write_space(target.store, space, after, _unwatched)
    return digests(after), cursor


def copy_keys(source: Store, target: Target, refused: list[ConflictError]) -> int:
    """Copies the digests of keys, and what was revoked; says how many there are."""
    for key in source.keys.list():
        found, there = source.keys.get(key.id), target.store.keys.get(key.id)
        if found is None:
            continue
        if there is None:
            target.store.keys.add(*found)
        elif there[1] != found[1]:
            refused.append(ConflictError(f"{target.store.address} has another key {key.id!r}", id=key.id))
            continue
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


def _note(store: Store, space: str, found: Mapping[str, Digest]) -> None:
    """Notes how a space came out, where that is not noted yet."""
    last, now = store.copies.last(space), checksums(found)
    if last is None or last.digests != now:
        store.copies.end(space, now)


def _note_again(store: Store, spaces: Iterable[str]) -> None:
    """What background work has made of a copy since is no work of somebody's."""
    for space in spaces:
        with TemporaryDirectory(prefix=FOLDER) as made:
            there = earlier.present(store, space, Path(made) / "settled")
        if there is not None and earlier.touched(there) <= MADE:
            _note(store, space, there.digests)


def _compare(space: str, wanted: dict[str, Digest], found: dict[str, Digest], name: str) -> None:
    kinds = differing(wanted, found)
    if kinds:
        raise ConflictError(
            f"space {space!r} is not the same in {name}: {', '.join(kinds)} differ. Is somebody writing to it there?",
            id=space,
        )


def _raise(refused: Sequence[ConflictError]) -> None:
    if len(refused) > 1:
        said = "\n".join(str(one) for one in refused)
        raise ConflictError(f"{len(refused)} were refused; all else is copied.\n{said}", id=refused[0].id)
    for one in refused:
        raise one


def _copied(space: str, found: Mapping[str, Digest], *, written: bool) -> CopiedSpace:
    records = {kind: digest.records for kind, digest in found.items() if kind != "manifest"}
    return CopiedSpace(space, records, checksums(found), written)


def _beyond(progress: Progress, counts: tuple[int, int, int], done: int, _: int) -> None:
    """Counts a space's messages on from those of the spaces before it."""
    before, own, total = counts
    progress(min(before + min(done, own), total), total)


def _unwatched(_done: int, _total: int) -> None: ...
