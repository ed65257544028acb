"""Step 4 of forgetting: removes the deleted bytes from the files after the commit, in the steps that the engine offers.

Deleted bytes remain in full-text segments, free pages, split pages and the log. So a scrub merges the indexes, runs
VACUUM (with INDEX_CLEANUP ON in PostgreSQL) and empties the log. If the process is killed, the job `scrub` remains and
another process continues.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from functools import partial
from typing import TypeVar

from aforesaid.errors import StoreDamaged, StoreError
from aforesaid.ids import microseconds
from aforesaid.ports import Clock
from aforesaid.storage import queries
from aforesaid.storage.database import Database, Row, Session
from aforesaid.storage.repositories import jobs

T = TypeVar("T")


def scrubbed_write(database: Database, work: Callable[[Session], T], *spaces: str, alone: bool = False) -> T:
    """Runs a transaction whose pages keep no deleted data.

    Data that may be erased one day is written like this too: otherwise a page that is split keeps a copy in its free
    space.
    """

    def scrubbed(session: Session) -> T:
        with session.secure_delete():
            return work(session)

    return database.write(scrubbed, *spaces, alone=alone)


def scrubbed_erase(database: Database, work: Callable[[Session], T], *spaces: str) -> tuple[T, bool]:
    """Returns the result of `work`, and True if the log is empty too: False while another process reads old data."""
    result = scrubbed_write(database, work, *spaces)
    return result, database.truncate_log()


SQL = queries.named("erasures")

log = logging.getLogger(__name__)


class Scrubber:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def run(self) -> Mapping[str, str]:
        """Scrubs for every erasure that waits for it. Returns the steps that are left, each with the reason."""
        opened = self._database.query(SQL["open"])
        if not opened:
            return {}
        new, now = [row for row in opened if not row.late], microseconds(self._clock())
        if new:
            scrubbed_write(self._database, partial(_refuse_late, new=new, until=now), alone=True)
        tried = {name: _failure(name, step) for name, step in self._database.scrubs}
        left = {name: why for name, why in tried.items() if why is not None}
        self._database.write(partial(_settle, opened=opened, left=left, at=microseconds(self._clock())), alone=True)
        return left

    def try_run(self, steps: Collection[str]) -> Collection[str]:
        """Scrubs after an erasure with these `steps`, and returns those that are left. If the store fails, the erasure
        is stored already, so this raises no error: the job `scrub` continues."""
        try:
            return self.run()
        except StoreDamaged:
            raise
        except StoreError as exc:
            log.warning("not scrubbed yet", extra={"action": "scrub_waits", "part": "all", "error": str(exc)})
            return steps


def queue_scrub(session: Session, at: datetime) -> None:
    """Queues the work for another process, in case this one is killed."""
    jobs.insert(session, "scrub", None, jobs.WHOLE_STORE, microseconds(at))


def _failure(name: str, step: Callable[[], object]) -> str | None:
    """Returns why a step failed; None if it is done."""
    try:
        step()
    except StoreDamaged:
        raise
    except StoreError as exc:
        log.warning("not scrubbed yet", extra={"action": "scrub_waits", "part": name, "error": str(exc)})
        return str(exc)
    return None


def _refuse_late(session: Session, new: list[Row], until: int) -> None:
    """Removes receipts that others read before the erasure and wrote since, and refuses those that they still hold.
    Once for each erasure: a receipt that is written later was read later."""
    for row in new:
        values = {"space_key": row.space_key, "at": row.at, "id": row.id, "until": max(until, row.at + 1)}
        session.execute(SQL["late_receipts"], values)
        session.execute(SQL["until"], values)


def _settle(session: Session, opened: list[Row], left: Mapping[str, str], at: int) -> None:
    for row in opened:
        values = {"space_key": row.space_key, "at": row.at, "id": row.id, "pending": json.dumps(list(left))}
        session.execute(SQL["pend"], values)
    if not left and not session.fetch(SQL["open"]):
        session.execute(SQL["unqueue"])
    else:
        session.execute(SQL["due"], {"at": at, "error": "; ".join(left.values()) or None})
