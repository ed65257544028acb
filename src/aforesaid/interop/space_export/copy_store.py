"""Copies a store into another one, space by space, and compares a second export to prove that both are equal.

A finished copy is left as it is, so an interrupted copy is completed by repeating it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from aforesaid.errors import ConflictError, InvalidInput, NotFound
from aforesaid.ingest.draft import DraftBuilder
from aforesaid.interop.space_export import existing_copy
from aforesaid.interop.space_export.existing_copy import FileDigest, checksums, differing_kinds, digests
from aforesaid.interop.space_export.profile import copy_profile
from aforesaid.interop.space_export.read import read_records
from aforesaid.interop.space_export.write import write_space
from aforesaid.models.profile import Consent
from aforesaid.models.space import SpaceInfo
from aforesaid.models.transfer import CopyReport, SpaceCopy
from aforesaid.ports import Progress
from aforesaid.storage.store import Store

PAGE = 500
FOLDER_PREFIX = "aforesaid-copy-"
DERIVED_KINDS = {"facts", "episodes", "pins", "pin_marks", "summaries", "progress"}  # what background work makes
SpaceCallback = Callable[[SpaceCopy], object]


@dataclass(frozen=True, slots=True)
class CopyTarget:
    """The target store, and the builder of its message drafts."""

    store: Store
    drafts: DraftBuilder


@dataclass(frozen=True, slots=True)
class CopyOptions:
    """The spaces to copy (None: all of them, and the keys), whether to replace existing ones, and the background work
    to run at the end."""

    spaces: Sequence[str] | None
    replace: bool
    settle: Callable[[], object] | None


def copy_store(
    source: Store, target: CopyTarget, wanted: CopyOptions, progress: Progress, tell: SpaceCallback
) -> CopyReport:
    """Copies spaces and keys. Raises ConflictError, after all others are copied, if the target has other data under the
    same name."""
    found = list(_spaces(source) if wanted.spaces is None else _named_spaces(source, wanted.spaces))
    total, done, records, written = sum(info.messages for info in found), 0, Counter[str](), list[str]()
    refused: list[ConflictError] = []
    keys = copy_keys(source, target, refused) if wanted.spaces is None else 0
    for info in found:
        watch = partial(_offset_progress, progress, (done, info.messages, total))
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
        _record_settled(target.store, written)
    _raise_conflicts(refused)
    return CopyReport(len(found), len(found) - len(written), keys, dict(records))


def copy_space(source: Store, target: CopyTarget, info: SpaceInfo, replace: bool, progress: Progress) -> SpaceCopy:
    """Copies one space, and verifies the copy by a second export. An earlier copy that nobody changed is completed or
    replaced."""
    space, address = info.id, target.store.address
    with TemporaryDirectory(prefix=FOLDER_PREFIX) as made:
        ours, theirs, after, again = (Path(made) / name for name in ("ours", "theirs", "after", "again"))
        consent = source.profiles.consent(space)
        write_space(source, space, ours, _no_progress)
        wanted, there = digests(ours), existing_copy.present(target.store, space, theirs)
        if there is not None and there.digests == wanted:
            _record_copy(target.store, space, wanted)
            return _copied(space, wanted, written=False)
        cursor = there.cursor if there else None
        anew = there is not None and (replace or existing_copy.has_more(there, space, ours, address))
        target.store.copies.begin(space, info.created_at, cursor, anew=anew)
        try:
            found, cursor = _read_into(target, consent, ours, after, progress)
        except InvalidInput as exc:  # it was stored when more could be
            raise InvalidInput(f"space {space!r} does not fit into {address}: {exc}") from exc
        if there is not None and found != wanted:
            target.store.copies.begin(space, info.created_at, cursor, anew=True)
            found, _ = _read_into(target, consent, ours, again, progress)
        _compare(space, wanted, found, address)
        _record_copy(target.store, space, wanted)
    return _copied(space, wanted, written=True)


def _read_into(
    target: CopyTarget, consent: Consent, folder: Path, after: Path, progress: Progress
) -> tuple[dict[str, FileDigest], int]:
    """Imports a space. Returns the digests of the result, and the cursor of its changes."""
    space = read_records(target.store, target.drafts, folder, None, progress)
    copy_profile(target.store, folder, space, consent)
    cursor = target.store.feed.read(space, None, None, 1).cursor
    write_space(target.store, space, after, _no_progress)
    return digests(after), cursor


def copy_keys(source: Store, target: CopyTarget, refused: list[ConflictError]) -> int:
    """Copies the digests and revocations of keys. Returns the number of keys."""
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


def _named_spaces(store: Store, wanted: Sequence[str]) -> Iterator[SpaceInfo]:
    for name in dict.fromkeys(wanted):
        info = store.spaces.get(name)
        if info is None:
            raise NotFound(f"{store.address} has no space {name!r} to copy")
        yield info


def _record_copy(store: Store, space: str, found: Mapping[str, FileDigest]) -> None:
    """Records the digests of a copied space, unless they are recorded already."""
    last, now = store.copies.last(space), checksums(found)
    if last is None or last.digests != now:
        store.copies.end(space, now)


def _record_settled(store: Store, spaces: Iterable[str]) -> None:
    """Records the result of background work on a copy, so that it does not count as a change by a user."""
    for space in spaces:
        with TemporaryDirectory(prefix=FOLDER_PREFIX) as made:
            there = existing_copy.present(store, space, Path(made) / "settled")
        if there is not None and existing_copy.touched(there) <= DERIVED_KINDS:
            _record_copy(store, space, there.digests)


def _compare(space: str, wanted: dict[str, FileDigest], found: dict[str, FileDigest], name: str) -> None:
    kinds = differing_kinds(wanted, found)
    if kinds:
        raise ConflictError(
            f"space {space!r} is not the same in {name}: {', '.join(kinds)} differ. Is somebody writing to it there?",
            id=space,
        )


def _raise_conflicts(refused: Sequence[ConflictError]) -> None:
    if len(refused) > 1:
        said = "\n".join(str(one) for one in refused)
        raise ConflictError(f"{len(refused)} were refused; all else is copied.\n{said}", id=refused[0].id)
    for one in refused:
        raise one


def _copied(space: str, found: Mapping[str, FileDigest], *, written: bool) -> SpaceCopy:
    records = {kind: digest.records for kind, digest in found.items() if kind != "manifest"}
    return SpaceCopy(space, records, checksums(found), written)


def _offset_progress(progress: Progress, counts: tuple[int, int, int], done: int, _: int) -> None:
    """Adds the messages of the spaces before to the progress."""
    before, own, total = counts
    progress(min(before + min(done, own), total), total)


def _no_progress(_done: int, _total: int) -> None: ...
