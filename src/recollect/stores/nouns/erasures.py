"""Forgetting and editing in SQLite: one transaction, then the files are scrubbed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

import apsw

from recollect.errors import NotFound
from recollect.models import Erasure, Message, Verification
from recollect.ports import Clock
from recollect.records import Forget, MessageDraft
from recollect.stores import erasure_rows, queries
from recollect.stores.nouns import edit, forget, scrub, scrubbing, spaces
from recollect.stores.nouns.tally import Tally
from recollect.stores.sqlite import trace
from recollect.stores.sqlite.database import Database

SQL = queries.named("sqlite", "erasures")

HEAD_START = timedelta(minutes=1)  # for the process that forgets to scrub the files itself


class SqliteErasures:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._scrubbing = scrubbing.Scrubbing(database, clock)

    def forget(self, space: str, asked: Forget) -> Erasure:
        made, _ = self._erase(space, asked, lambda connection, key: (forget.forget(connection, key, asked), None))
        return made

    def preview(self, space: str, asked: Forget) -> Erasure:
        found: list[Erasure] = []

        def work(connection: apsw.Connection) -> None:
            tally = forget.forget(connection, _key(connection, space), asked)
            found.append(replace(_erasure(space, asked, tally), pending=(), dry_run=True))
            raise _OnlyLooked

        try:
            self._database.write(work)
        except _OnlyLooked:
            return found[0]
        raise AssertionError("a preview never commits")

    def edit(self, space: str, draft: MessageDraft, asked: Forget) -> Message:
        _, message = self._erase(
            space, asked, lambda connection, key: edit.edit(connection, (space, key), draft, asked.at)
        )
        return message

    def scrub(self) -> tuple[str, ...]:
        return self._scrubbing.run()

    def list(self, space: str, limit: int) -> Sequence[Erasure]:
        found = self._database.query(SQL["list"], {"space": space, "limit": limit})
        return [erasure_rows.erasure(row) for row in found]

    def verify(self, text: str, space: str | None) -> Verification:
        return trace.Trace(self._database, text, space).look()

    def _erase(
        self, space: str, asked: Forget, erase: Callable[[apsw.Connection, int], tuple[Tally, Message | None]]
    ) -> tuple[Erasure, Message]:
        def work(connection: apsw.Connection) -> tuple[Erasure, Message | None]:
            key = _key(connection, space)
            tally, message = erase(connection, key)
            made = _erasure(space, asked, tally)
            connection.execute(SQL["add"], {"space_key": key, **erasure_rows.columns(made)})
            scrubbing.queue(connection, asked.at + HEAD_START)
            return made, message

        made, message = scrub.write(self._database, work)
        return replace(made, pending=self._scrubbing.run()), message  # type: ignore[return-value]


class _OnlyLooked(Exception):
    """Takes back the transaction of a preview."""


def _key(connection: apsw.Connection, space: str) -> int:
    key = spaces.key_of(connection, space)
    if key is None:
        raise NotFound(f"there is no space {space!r}")
    return key


def _erasure(space: str, asked: Forget, tally: Tally) -> Erasure:
    return Erasure(asked.erasure, space, asked.at, asked.target, *tally.portions(), pending=scrubbing.ALL)
