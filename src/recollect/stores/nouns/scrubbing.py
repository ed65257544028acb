"""Scrubs the files after an erasure: the full-text indexes, the pages, the log. Each step says what is left to do.

What SQLite deletes it leaves in the file: terms of deleted rows in the full-text index until its parts are merged, rows
in free pages and in the free room of pages that were split. So the indexes are merged whole, the file is written anew,
and the log is emptied. A process that is killed meanwhile leaves the job `scrub` behind, and another goes on.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from datetime import datetime
from functools import partial

import apsw

from recollect.errors import StoreBusy, StoreDamaged, StoreError
from recollect.ids import microseconds
from recollect.ports import Clock
from recollect.stores import queries
from recollect.stores.nouns import jobs, scrub
from recollect.stores.sqlite.database import Database, Row, fetch

SQL = queries.named("sqlite", "erasures")

INDEX, PAGES, LOG = "full-text index", "file", "log"
ALL = (INDEX, PAGES, LOG)

log = logging.getLogger(__name__)


class Scrubbing:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def run(self) -> tuple[str, ...]:
        """Scrubs for every erasure that waits for it; says what is still to be done."""
        opened = self._database.query(SQL["open"])
        if not opened:
            return ()
        scrub.write(self._database, partial(_refuse_late, opened=opened, until=microseconds(self._clock())))
        steps: tuple[tuple[str, Callable[[], object]], ...] = (
            (INDEX, self._merge_indexes),
            (PAGES, self._database.rewrite),
            (LOG, self._empty_log),
        )
        pending = tuple(name for name, step in steps if not _done(name, step))
        self._database.write(partial(_settle, opened=opened, pending=pending, at=microseconds(self._clock())))
        return pending

    def _merge_indexes(self) -> None:
        def work(connection: apsw.Connection) -> None:
            for (name,) in fetch(connection, SQL["indexes"]):
                connection.execute(f"INSERT INTO {name} ({name}) VALUES ('optimize')")

        scrub.write(self._database, work)

    def _empty_log(self) -> None:
        if not self._database.empty_log():
            raise StoreBusy(f"{self._database.path}: another process reads an old moment, so the log cannot be emptied")


def queue(connection: apsw.Connection, at: datetime) -> None:
    """Work for whoever comes if this process does not."""
    jobs.insert(connection, "scrub", None, jobs.WHOLE_STORE, microseconds(at))


def _done(name: str, step: Callable[[], object]) -> bool:
    try:
        step()
    except StoreDamaged:
        raise
    except StoreError as exc:
        log.warning("not scrubbed yet", extra={"action": "scrub_waits", "part": name, "error": str(exc)})
        return False
    return True


def _refuse_late(connection: apsw.Connection, opened: list[Row], until: int) -> None:
    """What others read before the erasure and wrote since goes too; what they still hold will not be taken."""
    for space_key, at, id in opened:
        end = max(until, at)
        connection.execute(SQL["late_receipts"], {"space_key": space_key, "at": at, "until": end})
        connection.execute(SQL["until"], {"space_key": space_key, "at": at, "id": id, "until": end})


def _settle(connection: apsw.Connection, opened: list[Row], pending: tuple[str, ...], at: int) -> None:
    for space_key, moment, id in opened:
        values = {"space_key": space_key, "at": moment, "id": id, "pending": json.dumps(pending)}
        connection.execute(SQL["pend"], values)
    if not pending and not fetch(connection, SQL["open"]):
        connection.execute(SQL["unqueue"])
    else:
        connection.execute(SQL["due"], {"at": at})
