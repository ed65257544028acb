"""Scrubs the files after an erasure, in the steps that the engine has for it. Each step says what is left to do.

A process that is killed meanwhile leaves the job `scrub` behind, and another goes on.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial

from recollect.errors import StoreDamaged, StoreError
from recollect.ids import microseconds
from recollect.ports import Clock
from recollect.stores import queries
from recollect.stores.database import Database, Row, Session
from recollect.stores.nouns import jobs, scrub

SQL = queries.named("erasures")

log = logging.getLogger(__name__)


class Scrubbing:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def run(self) -> Mapping[str, str]:
        """Scrubs for every erasure that waits for it; says what is still to be done, and why."""
        opened = self._database.query(SQL["open"])
        if not opened:
            return {}
        fresh, now = [row for row in opened if not row[3]], microseconds(self._clock())
        if fresh:
            scrub.write(self._database, partial(_refuse_late, fresh=fresh, until=now), alone=True)
        tried = {name: _failure(name, step) for name, step in self._database.scrubs}
        left = {name: why for name, why in tried.items() if why is not None}
        self._database.write(partial(_settle, opened=opened, left=left, at=microseconds(self._clock())), alone=True)
        return left


def queue(session: Session, at: datetime) -> None:
    """Work for whoever comes if this process does not."""
    jobs.insert(session, "scrub", None, jobs.WHOLE_STORE, microseconds(at))


def _failure(name: str, step: Callable[[], object]) -> str | None:
    """Why a step could not be done; None where it is done."""
    try:
        step()
    except StoreDamaged:
        raise
    except StoreError as exc:
        log.warning("not scrubbed yet", extra={"action": "scrub_waits", "part": name, "error": str(exc)})
        return str(exc)
    return None


def _refuse_late(session: Session, fresh: list[Row], until: int) -> None:
    """What others read before the erasure and wrote since goes too; what they still hold will not be taken. Once for
    each erasure: what is written later was read later."""
    for space_key, at, id, _ in fresh:
        end = max(until, at + 1)
        session.execute(SQL["late_receipts"], {"space_key": space_key, "at": at, "until": end})
        session.execute(SQL["until"], {"space_key": space_key, "at": at, "id": id, "until": end})


def _settle(session: Session, opened: list[Row], left: Mapping[str, str], at: int) -> None:
    for space_key, moment, id, _ in opened:
        values = {"space_key": space_key, "at": moment, "id": id, "pending": json.dumps(list(left))}
        session.execute(SQL["pend"], values)
    if not left and not session.fetch(SQL["open"]):
        session.execute(SQL["unqueue"])
    else:
        session.execute(SQL["due"], {"at": at, "error": "; ".join(left.values()) or None})
