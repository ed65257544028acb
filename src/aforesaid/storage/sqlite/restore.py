"""Restores a backup. The backup is checked in a copy first, and replaces the store only if all checks pass.

The copy replaces the pages under an exclusive lock, not by a rename: a process that opened the old file would
continue to write to a file without a name.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from aforesaid.errors import InvalidInput, NotFound, StoreBusy, StoreDamaged, StoreError
from aforesaid.models.store import RestoreReport
from aforesaid.ports import Clock, Progress
from aforesaid.storage import migrate
from aforesaid.storage.sqlite import online_backup
from aforesaid.storage.sqlite.database import IN_MEMORY, refuse_foreign
from aforesaid.storage.sqlite.encryption import FileKey, StoreKey, open_file, unlock
from aforesaid.storage.sqlite.errors import translate_errors
from aforesaid.storage.sqlite.open_files import refuse_foreign_log
from aforesaid.storage.sqlite.schema import SqliteSchema
from aforesaid.storage.sqlite.store import SqliteStore

HARMLESS = {"late jobs", "erasures"}  # their workers are gone; the next one continues
WAIT_MILLISECONDS = 1_000  # for a process that is closing the store


def restore(
    backup: Path, store: str, force: bool, clock: Clock, progress: Progress, *, key: StoreKey | None = None
) -> RestoreReport:
    """Replaces the store by the backup; `key` is the key of both. Refuses a backup that is damaged or newer than this
    version, and then changes nothing. Repairs what can be rebuilt from the messages."""
    if store in ("", IN_MEMORY):
        raise InvalidInput("a backup is restored into a file; name one")
    place = Path(store).resolve()
    _refuse(backup, place, force=force)
    with online_backup.temporary_file(str(place), place) as file:
        with translate_errors(str(backup)):
            file_key = unlock(str(backup), key)
        with (
            _opened(backup, file_key) as source,
            translate_errors(str(file)),
            closing(open_file(str(file), file_key)) as target,
        ):
            online_backup.copy_pages(source, target, progress)
        restored = _checked(file, store, key, clock, progress)
        online_backup.finish_copy(file, file_key)
        with online_backup.translate_disk_errors(place):
            shutil.copymode(backup, file)
        if place.exists():
            _put_over(file, file_key, place, key, progress)
        else:
            online_backup.publish_file(file, place, replace=False)
    return restored


def _refuse(backup: Path, place: Path, *, force: bool) -> None:
    with online_backup.translate_disk_errors(backup):
        if not backup.is_file():
            raise NotFound(f"there is no backup at {str(backup)!r}")
    online_backup.check_destination(place)
    if place.exists() and place.samefile(backup):
        raise InvalidInput(f"{str(backup)!r} is the store itself; open it as it is")
    if place.exists() and not force:
        raise online_backup.already_exists(place)
    log = online_backup.leftover_log(place)
    if log is not None and not place.exists():
        raise InvalidInput(f"{str(log)!r} is left of another store; move it away first, or it adds data to this one")


@contextmanager
def _opened(backup: Path, key: FileKey | None) -> Iterator[apsw.Connection]:
    """Opens the backup in one transaction. Never changes it."""
    with (
        translate_errors(str(backup)),
        closing(open_file(str(backup), key, apsw.SQLITE_OPEN_READONLY)) as source,
    ):
        refuse_foreign_log(source)
        source.execute("BEGIN")
        refuse_foreign(source)
        version = SqliteSchema(source).version()
        if version == 0:
            raise StoreDamaged(f"{backup}: the file is empty; take another backup")
        migrate.needed(version, migrate.known("sqlite"))
        yield source


def _checked(file: Path, store: str, key: StoreKey | None, clock: Clock, progress: Progress) -> RestoreReport:
    """Opens the copy, which migrates it, and checks it; checks it again if something was repaired."""
    try:
        with closing(SqliteStore(str(file), synchronous="full", clock=clock, key=key)) as opened:
            failed = [finding for finding in opened.check(True, clock(), progress) if not finding.ok]
            left = [finding for finding in opened.check(False, clock(), progress) if not finding.ok] if failed else []
            status = opened.status()
    except StoreDamaged as exc:
        raise StoreDamaged(f"the backup is damaged, and nothing was changed; take another ({exc})") from exc
    wrong = [finding for finding in left if finding.check not in HARMLESS]
    if wrong:
        details = "; ".join(f"{finding.check}: {finding.detail}" for finding in wrong)
        raise StoreDamaged(f"the backup is damaged, and nothing was changed; take another ({details})")
    repaired = tuple(finding.check for finding in failed if finding.check not in HARMLESS)
    counts = status.spaces, status.conversations, status.messages
    return RestoreReport(store, file.stat().st_size, status.schema_version, *counts, mended=repaired)


def _put_over(file: Path, file_key: FileKey | None, place: Path, key: StoreKey | None, progress: Progress) -> None:
    """Replaces the present store in one transaction. If the process is killed, the store is unchanged. A process that
    opens it during the copy waits, and gets the new one."""
    with (
        translate_errors(str(place)),
        closing(open_file(str(place), unlock(str(place), key), apsw.SQLITE_OPEN_READWRITE)) as target,
    ):
        try:
            lock_alone(target, place)
        except (apsw.NotADBError, apsw.CorruptError) as exc:
            raise StoreError(
                f"{place}: the present file cannot be read, so it may be in use; "
                "move it away, with its -wal and -shm, and restore again"
            ) from exc
        with closing(open_file(str(file), file_key, apsw.SQLITE_OPEN_READONLY)) as source:
            online_backup.copy_pages(source, target, progress)


def lock_alone(connection: apsw.Connection, place: Path) -> None:
    """Locks the store until the connection is closed, and moves its log into the file. Raises StoreBusy if a process
    has it open."""
    connection.set_busy_timeout(WAIT_MILLISECONDS)
    refuse_foreign_log(connection)
    try:
        connection.pragma("locking_mode", "exclusive")
        refuse_foreign(connection)
        connection.pragma("journal_mode", "delete")
        connection.execute("BEGIN EXCLUSIVE").execute("COMMIT")
    except (apsw.BusyError, apsw.LockedError) as exc:
        raise StoreBusy(f"{place}: a process has it open; stop it and try again. Nothing was changed") from exc
