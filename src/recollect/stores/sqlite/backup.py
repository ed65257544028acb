"""A copy of the whole store while it is in use.

SQLite's own page copy under one read transaction, not `VACUUM INTO`: it says how far it is, takes a fraction of the
time, and with a write-ahead log no writer waits for it. A write in between does not start it again, since the
transaction stays at its moment.
"""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import apsw

from recollect.errors import InvalidInput
from recollect.models import Backup
from recollect.ports import Progress
from recollect.stores import queries
from recollect.stores.sqlite import copying, migrate
from recollect.stores.sqlite.database import IN_MEMORY, Database
from recollect.stores.sqlite.failures import translated

SQL = queries.named("store")


def backup(database: Database, destination: Path, force: bool, progress: Progress) -> Backup:
    """All that was committed before this began, in one file that appears whole or not at all."""
    place = destination.resolve()
    _refuse(place, database.path, force=force)
    with copying.unfinished(place) as file:
        with database.read() as session:
            counts = session.fetch(SQL["counts"])[0]  # the first read: from here on it is of this moment
            version = migrate.version(session.connection)
            _copy(session.connection, file, progress)
        copying.close_whole(file)
        with copying.disk(place):
            if database.path != IN_MEMORY:
                shutil.copymode(database.path, file)
            size = file.stat().st_size
        copying.name_it(file, place, replace=force)
    return Backup(str(destination), size, version, *counts[:3])


def _copy(source: apsw.Connection, file: Path, progress: Progress) -> None:
    with translated(str(file)), closing(apsw.Connection(str(file))) as target:
        target.pragma("journal_mode", "off")  # a broken copy is thrown away, and a whole one is synced at the end
        target.pragma("synchronous", "off")
        copying.pages(source, target, progress)


def _refuse(place: Path, store: str, *, force: bool) -> None:
    copying.refuse_place(place)
    if store != IN_MEMORY:
        own = Path(store).resolve()
        if place in {own.with_name(own.name + end) for end in ("", *copying.COMPANIONS)}:
            raise InvalidInput(f"{str(place)!r} is the store itself; a backup needs a place of its own")
        if place.exists() and own.exists() and place.samefile(own):
            raise InvalidInput(f"{str(place)!r} is the store itself; a backup needs a place of its own")
    if place.exists() and not force:
        raise copying.taken(place)
    log = copying.beside(place)
    if log is not None:
        raise InvalidInput(f"{str(log)!r} belongs to a store that is open, or was not closed; name another file")
