"""Copies a store into another one, space by space, and compares a second export to prove that both are equal.

A complete copy stays unchanged. Repeat an interrupted copy to complete it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aforesaid.errors import ConflictError, InvalidInput, NotFound, OnHold
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
from aforesaid.temporary_files import TemporaryFiles

PAGE = 500
DERIVED_KINDS = {"facts", "episodes", "pins", "pin_marks", "summaries", "progress"}  # made by background work


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
    source: Store,
    target: CopyTarget,
    options: CopyOptions,
    progress: Progress,
    on_copied: Callable[[SpaceCopy], object],
) -> CopyReport:
    """Copies spaces and keys. Raises ConflictError, after all others are copied, if the target has other data under the
    same name."""
    spaces = list(_spaces(source) if options.spaces is None else _named_spaces(source, options.spaces))
    total, done, records, written = sum(info.messages for info in spaces), 0, Counter[str](), list[str]()
    conflicts: list[ConflictError] = []
    keys = copy_keys(source, target, conflicts) if options.spaces is None else 0
    for info in spaces:
        watch = _offset_progress(progress, done, info.messages, total)
        try:
            copied = copy_space(source, target, info, options.replace, watch)
        except ConflictError as exc:
            conflicts.append(exc)
        else:
            written += [info.id] if copied.written else []
            records.update(copied.records)
            on_copied(copied)
        done += info.messages
        progress(done, total)
    if options.settle is not None:
        options.settle()
        _record_settled(source, target.store, written)
    _raise_conflicts(conflicts)
    return CopyReport(len(spaces), len(spaces) - len(written), keys, dict(records))


def copy_space(source: Store, target: CopyTarget, info: SpaceInfo, replace: bool, progress: Progress) -> SpaceCopy:
    """Copies one space, and verifies the copy by a second export. An earlier copy that nobody changed is completed or
    replaced."""
    space, address = info.id, target.store.address
    if source.retention.keeps_expired(space):
        raise _on_hold(space, source, "has expired records, which a copy leaves out; use a backup, or release the hold")
    temporary = (source if source.database.encrypted else target.store).temporary_files
    with temporary.folder() as folder:
        ours, theirs = folder / "ours", folder / "theirs"
        consent = source.profiles.consent(space)
        write_space(source, space, ours)
        expected, present = digests(ours), existing_copy.find(target.store, space, theirs)
        if present is not None and present.digests == expected:
            _record_copy(target.store, space, expected)
            return _space_copy(space, expected, written=False)
        cursor = present.cursor if present else None
        if present is not None and replace and (target.store.retention.hold(space) is not None):
            raise _on_hold(space, target.store, "is not replaced; release the hold first")
        anew = present is not None and (replace or existing_copy.has_more(present, space, ours, address))
        target.store.copies.begin(space, info.created_at, cursor, anew=anew)
        try:
            copied, cursor = _read_into(target, temporary, consent, ours, progress)
        except InvalidInput as exc:  # it was stored when larger records were valid
            raise InvalidInput(f"space {space!r} does not fit into {address}: {exc}") from exc
        if present is not None and copied != expected:
            target.store.copies.begin(space, info.created_at, cursor, anew=True)
            copied, _ = _read_into(target, temporary, consent, ours, progress)
    if kinds := differing_kinds(expected, copied):
        raise ConflictError(
            f"space {space!r} is not the same in {address}: {', '.join(kinds)} differ. Stop other writers and copy it "
            "again",
            id=space,
        )
    _record_copy(target.store, space, expected)
    return _space_copy(space, expected, written=True)


def _on_hold(space: str, store: Store, why: str) -> OnHold:
    hold = store.retention.hold(space)
    reason = hold.reason if hold else ""
    return OnHold(f"space {space!r} of {store.address} is on hold ({reason}) and {why}", reason=reason)


def _read_into(
    target: CopyTarget, temporary: TemporaryFiles, consent: Consent, folder: Path, progress: Progress
) -> tuple[dict[str, FileDigest], int]:
    """Imports a space. Returns the digests of the result, and the cursor of its changes."""
    space = read_records(target.store, target.drafts, folder, None, progress)
    copy_profile(target.store, folder, space, consent)
    cursor = target.store.feed.read(space, None, None, 1).cursor
    with temporary.folder() as result:
        return digests(write_space(target.store, space, result / "result")), cursor


def copy_keys(source: Store, target: CopyTarget, conflicts: list[ConflictError]) -> int:
    """Copies the digests and revocations of keys. Returns the number of keys."""
    for key in source.keys.list():
        stored, present = source.keys.get(key.id), target.store.keys.get(key.id)
        if stored is None:
            continue
        if present is None:
            target.store.keys.add(*stored)
        elif present[1] != stored[1]:
            conflicts.append(ConflictError(f"{target.store.address} has another key {key.id!r}", id=key.id))
            continue
        if key.revoked_at is not None:
            target.store.keys.revoke(key.id, key.revoked_at)
    return len(source.keys.list())


def _spaces(store: Store) -> Iterator[SpaceInfo]:
    after: str | None = None
    while page := store.spaces.list(PAGE, after):
        yield from page
        after = page[-1].id


def _named_spaces(store: Store, names: Sequence[str]) -> Iterator[SpaceInfo]:
    for name in dict.fromkeys(names):
        info = store.spaces.get(name)
        if info is None:
            raise NotFound(f"{store.address} has no space {name!r} to copy")
        yield info


def _record_copy(store: Store, space: str, copied: Mapping[str, FileDigest]) -> None:
    """Records the digests of a copied space, unless they are recorded already."""
    last, now = store.copies.last(space), checksums(copied)
    if last is None or last.digests != now:
        store.copies.end(space, now)


def _record_settled(source: Store, store: Store, spaces: Iterable[str]) -> None:
    """Records the result of background work on a copy, so that it does not count as a change by a user."""
    for space in spaces:
        with (source if source.database.encrypted else store).temporary_files.folder() as folder:
            present = existing_copy.find(store, space, folder / "settled")
        if present is not None and existing_copy.changed_kinds(present) <= DERIVED_KINDS:
            _record_copy(store, space, present.digests)


def _raise_conflicts(conflicts: Sequence[ConflictError]) -> None:
    if len(conflicts) > 1:
        details = "\n".join(map(str, conflicts))
        raise ConflictError(f"{len(conflicts)} were refused; everything else is copied.\n{details}", id=conflicts[0].id)
    for conflict in conflicts:
        raise conflict


def _space_copy(space: str, copied: Mapping[str, FileDigest], *, written: bool) -> SpaceCopy:
    records = {kind: digest.records for kind, digest in copied.items() if kind != "manifest"}
    return SpaceCopy(space, records, checksums(copied), written)


def _offset_progress(progress: Progress, before: int, most: int, total: int) -> Progress:
    """The progress of one space, added to the messages of the spaces `before`."""
    return lambda done, _: progress(before + min(done, most), total)
