"""A backup becomes a store again: looked at in a copy first, and put in place only when all is well."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from recollect.errors import InvalidInput, NotFound, StoreBusy, StoreDamaged, StoreError
from recollect.models import Restored
from recollect.ports import Clock, Progress
from recollect.stores.sqlite import copying, migrate
from recollect.stores.sqlite.database import IN_MEMORY, refuse_foreign
from recollect.stores.sqlite.failures import translated
from recollect.stores.sqlite.store import SqliteStore

HARMLESS = {"late jobs", "erasures"}  # their workers are gone, of course: the next one takes them over
WAIT_MILLISECONDS = 1_000  # for somebody who is just closing the store


def restore(backup: Path, store: str, force: bool, clock: Clock, progress: Progress) -> Restored:
    """Makes the store what the backup was. What is damaged or newer than this version is refused, and nothing is
    changed; what can be rebuilt from the log is mended on the way."""
    if store in ("", IN_MEMORY):
        raise InvalidInput("a backup is restored into a file; name one")
    place = Path(store).resolve()
    _refuse(backup, place, force=force)
    with copying.unfinished(place) as file:
        with _opened(backup) as source, translated(str(file)), closing(apsw.Connection(str(file))) as target:
            copying.pages(source, target, progress)
        restored = _looked_at(file, store, clock, progress)
        copying.close_whole(file)
        with copying.disk(place):
            shutil.copymode(backup, file)
        if place.exists():
            _put_over(file, place, progress)
        else:
            copying.name_it(file, place, replace=False)
    return restored


def _refuse(backup: Path, place: Path, *, force: bool) -> None:
    with copying.disk(backup):
        if not backup.is_file():
            raise NotFound(f"there is no backup at {str(backup)!r}")
    copying.refuse_place(place)
    if place.exists() and place.samefile(backup):
        raise InvalidInput(f"{str(backup)!r} is the store itself; open it as it is")
    if place.exists() and not force:
        raise copying.taken(place)
    log = copying.beside(place)
    if log is not None and not place.exists():
        raise InvalidInput(f"{str(log)!r} is left of another store; move it away first, or its words would come in")


@contextmanager
def _opened(backup: Path) -> Iterator[apsw.Connection]:
    """The backup at one moment; it is not changed, whatever it is."""
    with translated(str(backup)), closing(apsw.Connection(str(backup), flags=apsw.SQLITE_OPEN_READONLY)) as source:
        source.execute("BEGIN")
        refuse_foreign(source)
        if migrate.version(source) == 0:
            raise StoreDamaged(f"{backup}: the file is empty; take another backup")
        migrate.needed(source, migrate.known())
        yield source


def _looked_at(file: Path, store: str, clock: Clock, progress: Progress) -> Restored:
    """Opens the copy, which brings it up to date, and has the doctor look at it, twice where there was something."""
    try:
        with closing(SqliteStore(str(file), synchronous="full", clock=clock)) as opened:
            first = [finding for finding in opened.check(True, clock(), progress) if not finding.ok]
            left = [one for one in opened.check(False, clock(), progress) if not one.ok] if first else []
            holds = opened.status()
    except StoreDamaged as exc:
        raise StoreDamaged(f"the backup is damaged, and nothing was changed; take another ({exc})") from exc
    wrong = [finding for finding in left if finding.check not in HARMLESS]
    if wrong:
        said = "; ".join(f"{finding.check}: {finding.detail}" for finding in wrong)
        raise StoreDamaged(f"the backup is damaged, and nothing was changed; take another ({said})")
    mended = tuple(finding.check for finding in first if finding.check not in HARMLESS)
    counts = holds.spaces, holds.conversations, holds.messages
    return Restored(store, file.stat().st_size, holds.schema_version, *counts, mended)


def _put_over(file: Path, place: Path, progress: Progress) -> None:
    """Replaces the present store in one transaction of its own: a process that is killed meanwhile leaves it as it was,
    and one that opens it meanwhile waits, and finds the new one. A renamed file would leave that one with the old."""
    with translated(str(place)), closing(apsw.Connection(str(place), flags=apsw.SQLITE_OPEN_READWRITE)) as target:
        target.set_busy_timeout(WAIT_MILLISECONDS)
        try:
            target.pragma("locking_mode", "exclusive")
            refuse_foreign(target)
            target.pragma("journal_mode", "delete")
            target.execute("BEGIN EXCLUSIVE").execute("COMMIT")
        except (apsw.BusyError, apsw.LockedError) as exc:
            raise StoreBusy(f"{place}: a process has it open; stop it and try again. Nothing was changed") from exc
        except (apsw.NotADBError, apsw.CorruptError) as exc:
            raise StoreError(
                f"{place}: what is there now cannot be read, so nobody can tell whether it is in use; "
                "move it away, with its -wal and -shm, and restore again"
            ) from exc
        with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)) as source:
            copying.pages(source, target, progress)
