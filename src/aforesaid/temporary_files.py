"""Temporary files and folders. All of them are made here, so that none survives a killed process for long.

A store in a file has a private folder for them beside it (`app.db-tmp`); other stores share one per user in the
system's temporary folder. Each use of the folder holds a lock, which the operating system releases when its process
dies. The next start of a store removes what nobody holds.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO

ATTEMPTS = 100  # to create something that another process removes as empty at the same moment
OUTSIDE = "outside"  # names an unfinished file or folder that had to be made elsewhere, on the disk of its destination
COMPANIONS = ("", "-wal", "-journal", "-shm")  # what SQLite puts beside a file
LOCK = ".lock"
MEMORY = Path("/dev/shm")  # of Linux

_UNFINISHED = re.compile(r"\..+-[0-9a-f]{8}\.part")


class TemporaryFiles:
    """The temporary files of the store with this address, and those that stores without a file share. Text of an
    encrypted store goes into memory, where the system has a folder there and no variable names another one."""

    def __init__(self, address: str, *, encrypted: bool = False) -> None:
        own = None if address == ":memory:" or "://" in address else Path(f"{os.path.abspath(address)}-tmp")
        uid = f"-{os.getuid()}" if hasattr(os, "getuid") else ""
        shared = Path(tempfile.gettempdir()) / f"aforesaid{uid}"
        self._roots = [shared] if own is None else [own, shared]
        self._private = MEMORY / shared.name if encrypted and _uses_memory() else shared if encrypted else None

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """A new folder that only this user can read. The end of the context removes it."""
        with self._new_folder(self._roots if self._private is None else [self._private]) as item:
            yield item

    def file(self) -> IO[bytes]:
        """A new file without a name."""
        return tempfile.TemporaryFile(dir=None if self._private is None else self._private.parent)

    @contextmanager
    def _new_folder(self, roots: Sequence[Path]) -> Iterator[Path]:
        item, lock = _begin_first(roots)
        try:
            yield item
        finally:
            _remove(item)
            _end(item, lock)

    @contextmanager
    def unfinished(self, destination: Path) -> Iterator[Path]:
        """A path beside a destination, to create a file or folder there and rename it. The end of the context removes
        what was not renamed, with the files that SQLite put beside it."""
        with self._new_folder(self._roots) as folder:
            place = destination.parent.resolve() / f".{destination.name}-{folder.name}.part"
            (folder / OUTSIDE).write_text(str(place), "utf-8", "surrogateescape")
            try:
                yield place
            finally:
                _remove_unfinished(place)

    def leftovers(self) -> Sequence[str]:
        """The paths that killed processes left."""
        found: list[str] = []
        for root in self._all_roots:
            for item in _items(root):
                if (lock := _take_over(item)) is not None:
                    os.close(lock)
                    found.append(str(_outside(item) or item))
        return found

    def clean(self) -> None:
        """Removes what killed processes left."""
        for root in self._all_roots:
            for item in _items(root):
                if (lock := _take_over(item)) is not None:
                    with suppress(OSError):  # what cannot be removed is listed by the doctor
                        if (outside := _outside(item)) is not None:
                            _remove_unfinished(outside)
                        shutil.rmtree(item)
                    _end(item, lock)

    @property
    def _all_roots(self) -> Sequence[Path]:
        return self._roots if self._private is None else list(dict.fromkeys([*self._roots, self._private]))


def _uses_memory() -> bool:
    return not {"TMPDIR", "TEMP", "TMP"} & os.environ.keys() and os.access(MEMORY, os.W_OK)


def _begin_first(roots: Sequence[Path]) -> tuple[Path, int]:
    for root in roots[:-1]:
        with suppress(OSError):  # a full disk, for example; a backup to another one must still be possible
            return _begin(root)
    shared = roots[-1]
    return _begin(shared if _is_private(shared) else Path(tempfile.mkdtemp(prefix="aforesaid-", dir=shared.parent)))


def _begin(root: Path) -> tuple[Path, int]:
    """Creates a folder. First the lock, so that nobody takes the folder for a leftover."""
    for attempt in range(ATTEMPTS):
        item = root / secrets.token_hex(4)
        try:
            root.mkdir(mode=0o700, exist_ok=True)
            lock = os.open(_lock_of(item), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        except (FileNotFoundError, FileExistsError):
            if attempt == ATTEMPTS - 1:
                raise
            continue
        if _try_lock(lock) and _same(lock, _lock_of(item)):
            try:
                item.mkdir(mode=0o700)
            except BaseException:
                _end(item, lock)
                raise
            return item, lock
        os.close(lock)  # another process has just removed it as a leftover
    raise FileExistsError(f"{root}: other processes remove every new file; stop them")


def _end(item: Path, lock: int) -> None:
    os.close(lock)  # first: Windows removes no open file
    if not item.exists():
        _lock_of(item).unlink(missing_ok=True)
    with suppress(OSError):  # others use it
        item.parent.rmdir()


def _items(root: Path) -> list[Path]:
    """The folders of live and dead processes; none if the root belongs to another user."""
    if not root.is_dir() or not _is_private(root):
        return []
    return sorted({root / name.removesuffix(LOCK) for name in os.listdir(root)})


def _take_over(item: Path) -> int | None:
    """The lock of a leftover; None if a live process holds it."""
    try:
        lock = os.open(_lock_of(item), os.O_RDWR)
    except OSError:
        return None
    if _try_lock(lock) and _same(lock, _lock_of(item)):
        return lock
    os.close(lock)
    return None


def _lock_of(item: Path) -> Path:
    return item.with_name(item.name + LOCK)


def _same(lock: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(lock), os.stat(path))
    except FileNotFoundError:
        return False


def _outside(item: Path) -> Path | None:
    try:
        place = Path((item / OUTSIDE).read_text("utf-8", "surrogateescape"))
    except FileNotFoundError:
        return None
    return place if _UNFINISHED.fullmatch(place.name) else None


def _remove_unfinished(place: Path) -> None:
    for companion in COMPANIONS:
        _remove(place.with_name(place.name + companion))


def _remove(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place, ignore_errors=True)
    else:
        place.unlink(missing_ok=True)


def _is_private(root: Path) -> bool:
    """Returns False for a folder that another user made in the system's temporary folder, which all users share."""
    try:
        found = os.lstat(root)
    except FileNotFoundError:
        return True
    if not hasattr(os, "getuid"):
        return stat.S_ISDIR(found.st_mode)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def _try_lock(number: int) -> bool:
    """Locks an open file. Returns False if another process has locked it."""
    try:
        import fcntl
    except ImportError:
        import msvcrt  # of Windows

        lock = partial(msvcrt.locking, number, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        lock = partial(fcntl.flock, number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        lock()
    except OSError:
        return False
    return True
