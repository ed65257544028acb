"""Copies a SQLite file page by page, and gives the copy its name only when it is whole and on the disk."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import apsw

from recollect.errors import InvalidInput, StoreDamaged, StoreError, StoreFull
from recollect.ports import Progress
from recollect.stores.sqlite.failures import translated

STEP = 250  # pages: 1 MB between two words on how far it is
COMPANIONS = ("-wal", "-journal", "-shm")  # what SQLite keeps beside a file that is open or was not closed
LEFT_OPEN = COMPANIONS[:2]  # those that hold words


def pages(source: apsw.Connection, target: apsw.Connection, progress: Progress) -> None:
    """Every page of `source` as it is in the transaction that its connection is in: whoever writes meanwhile, in
    whatever process, neither waits nor shows."""
    with target.backup("main", source, "main") as copy:
        while not copy.done:
            copy.step(STEP)
            progress(copy.page_count - copy.remaining, copy.page_count)


def close_whole(path: Path) -> None:
    """Leaves the file complete by itself, with no log beside it, and checked page by page."""
    with translated(str(path)), closing(apsw.Connection(str(path))) as connection:
        connection.pragma("journal_mode", "delete")
        wrong = [text for (text,) in connection.execute("PRAGMA quick_check(1)").fetchall() if text != "ok"]
    if wrong:
        raise StoreDamaged(
            f"the copy is damaged, and with it what it was made from: {wrong[0]}; run `recollect doctor`"
        )


@contextmanager
def unfinished(destination: Path) -> Iterator[Path]:
    """An empty file beside the destination, private like whatever it will hold; gone at the end, with what SQLite put
    beside it, unless it got its name."""
    with disk(destination):
        number, name = tempfile.mkstemp(prefix=f".{destination.name}-", suffix=".part", dir=destination.parent)
        os.close(number)
    try:
        yield Path(name)
    finally:
        for companion in ("", *COMPANIONS):
            with suppress(FileNotFoundError):
                os.unlink(name + companion)


def name_it(file: Path, destination: Path, *, replace: bool) -> None:
    """Gives a finished file its name, all at once. Without `replace`, never over something that came meanwhile."""
    with disk(destination):
        _sync(file)
        if replace:
            os.replace(file, destination)
        else:
            _name_new(file, destination)
        if os.name == "posix":
            _sync(destination.parent)


def refuse_place(path: Path) -> None:
    """InvalidInput where no file can be, or where SQLite would take what is beside it for its own."""
    with disk(path):
        if path.is_dir():
            raise InvalidInput(f"{str(path)!r} is a directory; name a file in it")
        if not path.parent.is_dir():
            raise InvalidInput(f"the folder {str(path.parent)!r} does not exist; make it first")
        if path.exists() and not path.is_file():
            raise InvalidInput(f"{str(path)!r} is no regular file; name another")


def beside(path: Path) -> Path | None:
    """A log or journal that belongs to a file that is open, or was not closed, under this name."""
    return next((found for end in LEFT_OPEN if (found := path.with_name(path.name + end)).exists()), None)


def taken(path: Path) -> InvalidInput:
    return InvalidInput(f"{str(path)!r} is there already; name another file, or say that it may be replaced (force)")


@contextmanager
def disk(path: Path) -> Iterator[None]:
    """Raises a StoreError in place of the operating system's own errors."""
    try:
        yield
    except OSError as exc:
        if exc.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreFull(f"{path}: the disk is full; nothing was left behind ({exc.strerror})") from exc
        raise StoreError(f"{path}: it cannot be written; check the name and the permissions ({exc.strerror})") from exc


def _name_new(file: Path, destination: Path) -> None:
    try:
        os.link(file, destination)
    except FileExistsError as exc:
        raise taken(destination) from exc
    except OSError as exc:
        if exc.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK):  # a file system without links
            raise
        if destination.exists():
            raise taken(destination) from exc
        os.rename(file, destination)


def _sync(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
