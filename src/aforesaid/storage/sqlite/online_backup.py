"""Copies the whole store to a file while the store is in use.

The copy is SQLite's page copy in one read transaction. It does not block writers. The file gets its name only when
it is complete and on disk.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import apsw

from aforesaid.errors import InvalidInput, StoreDamaged, StoreError, StoreFull
from aforesaid.models.store import Backup, DamagedRecord
from aforesaid.ports import Progress
from aforesaid.storage import queries
from aforesaid.storage.sqlite.database import IN_MEMORY, SqliteDatabase
from aforesaid.storage.sqlite.encryption import FileKey, open_file
from aforesaid.storage.sqlite.errors import translate_errors
from aforesaid.storage.sqlite.schema import SqliteSchema
from aforesaid.storage.sqlite.session import SqliteSession
from aforesaid.temporary_files import TemporaryFiles

STEP = 250  # pages: 1 MB between two progress reports
COMPANIONS = ("-wal", "-journal", "-shm")  # files that SQLite keeps beside an open or unclosed one
LEFT_OPEN = COMPANIONS[:2]  # those that hold text


def copy_pages(source: apsw.Connection, target: apsw.Connection, progress: Progress) -> None:
    """Copies every page of `source` as of its current transaction. Concurrent writers do not wait, and their changes
    are not copied."""
    with target.backup("main", source, "main") as copy:
        while not copy.done:
            copy.step(STEP)
            progress(copy.page_count - copy.remaining, copy.page_count)


def finish_copy(path: Path, key: FileKey | None, *, damaged: bool = False) -> None:
    """Makes the file complete without a log beside it, and checks every page. `damaged`: it may be damaged."""
    with translate_errors(str(path)), closing(open_file(str(path), key)) as connection:
        connection.pragma("journal_mode", "delete")
        wrong = [text for (text,) in connection.execute("PRAGMA quick_check(1)").fetchall() if text != "ok"]
    if wrong and not damaged:
        raise StoreDamaged(f"the copy is damaged, and so is the store: {wrong[0]}; run `aforesaid doctor`")


@contextmanager
def temporary_file(store: str, destination: Path) -> Iterator[Path]:
    """Creates an empty private file beside the destination. Removes it at the end, with the files that SQLite put
    beside it, unless it was published. If the process is killed, the next start of the store removes it."""
    stack = ExitStack()
    try:
        with translate_disk_errors(destination):
            file = stack.enter_context(TemporaryFiles(store).unfinished(destination))
            os.close(os.open(file, os.O_CREAT | os.O_EXCL, 0o600))
        yield file
    finally:
        with translate_disk_errors(destination):
            stack.close()


def publish_file(file: Path, destination: Path, *, replace: bool) -> None:
    """Gives a finished file its name, atomically. Without `replace`, never overwrites a file."""
    with translate_disk_errors(destination):
        _sync(file)
        if replace:
            os.replace(file, destination)
        else:
            _name_new(file, destination)
        if hasattr(os, "O_DIRECTORY"):  # Windows cannot open a folder
            _sync(destination.parent)


def check_destination(path: Path) -> None:
    """Raises InvalidInput if no file can be written there."""
    with translate_disk_errors(path):
        if path.is_dir():
            raise InvalidInput(f"{str(path)!r} is a directory; name a file in it")
        if not path.parent.is_dir():
            raise InvalidInput(f"the folder {str(path.parent)!r} does not exist; make it first")
        if path.exists() and not path.is_file():
            raise InvalidInput(f"{str(path)!r} is no regular file; name another")


def leftover_log(path: Path) -> Path | None:
    """Returns a log or journal of an open or unclosed file of this name."""
    return next((found for end in LEFT_OPEN if (found := path.with_name(path.name + end)).exists()), None)


def already_exists(path: Path) -> InvalidInput:
    return InvalidInput(f"{str(path)!r} exists already; name another file, or allow to replace it (force)")


@contextmanager
def translate_disk_errors(path: Path) -> Iterator[None]:
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
        raise already_exists(destination) from exc
    except OSError as exc:
        if exc.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK):  # a file system without links
            raise
        if destination.exists():
            raise already_exists(destination) from exc
        os.rename(file, destination)


def _sync(path: Path) -> None:
    number = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)  # Windows syncs what can be written only
    try:
        os.fsync(number)
    finally:
        os.close(number)


SQL = queries.named("store")


def backup(
    database: SqliteDatabase,
    destination: Path,
    progress: Progress,
    find_damaged: Callable[[SqliteSession], Sequence[DamagedRecord]],
    *,
    force: bool,
    damaged: bool,
) -> Backup:
    place = destination.resolve()
    _refuse(place, database.path, force=force)
    with temporary_file(database.path, place) as file:
        with database.read() as session:
            ((spaces, chats, messages, _),) = session.fetch(SQL["counts"])  # fixes the state that is copied
            version = SqliteSchema(session.connection).version()
            _copy(session.connection, file, database.file_key, progress)
        finish_copy(file, database.file_key, damaged=damaged)
        with translate_errors(str(file)), closing(open_file(str(file), database.file_key)) as connection:
            found = find_damaged(SqliteSession(connection, None, clock=database.clock))
        if found and not damaged:
            raise _damaged_store(found)
        with translate_disk_errors(place):
            if database.path != IN_MEMORY:
                shutil.copymode(database.path, file)
            size = file.stat().st_size
        publish_file(file, place, replace=force)
    return Backup(str(destination), size, version, spaces, chats, messages, len(found))


def _read_only(file: Path) -> apsw.Connection:
    return apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)


def _damaged_store(found: Sequence[DamagedRecord]) -> StoreDamaged:
    one = found[0]
    return StoreDamaged(
        f"{len(found)} records of the store are damaged, the first is {one.id} of {one.table}: no backup was made, and "
        "no older one replaced. Run `aforesaid doctor`, then restore a backup or forget them; `damaged=True` "
        "(--damaged) copies them as they are",
        table=one.table,
        id=one.id,
        space=one.space,
        conversation=one.conversation,
        seq=one.seq,
    )


def _copy(source: apsw.Connection, file: Path, key: FileKey | None, progress: Progress) -> None:
    with translate_errors(str(file)), closing(open_file(str(file), key)) as target:
        target.pragma("journal_mode", "off")  # a broken copy is deleted, and a complete one is synced at the end
        target.pragma("synchronous", "off")
        copy_pages(source, target, progress)


def _refuse(place: Path, store: str, *, force: bool) -> None:
    check_destination(place)
    if store != IN_MEMORY:
        own = Path(store).resolve()
        same = place.exists() and own.exists() and place.samefile(own)
        if same or place in {own.with_name(own.name + end) for end in ("", *COMPANIONS)}:
            raise InvalidInput(f"{str(place)!r} is the store itself; name another file for the backup")
    if place.exists() and not force:
        raise already_exists(place)
    log = leftover_log(place)
    if log is not None:
        raise InvalidInput(f"{str(log)!r} belongs to a store that is open, or was not closed; name another file")
