"""Erasures: forgets or edits in one transaction, then scrubs the files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, replace
from datetime import timedelta

from aforesaid.errors import NotFound
from aforesaid.ids import microseconds
from aforesaid.models.erasure import Erasure, ErasureCount, ErasureRequest, Verification
from aforesaid.models.json import Json
from aforesaid.models.message import Message, MessageDraft
from aforesaid.ports import Clock
from aforesaid.storage import queries
from aforesaid.storage.columns import moment
from aforesaid.storage.database import Database, Row, Session
from aforesaid.storage.repositories import forget, scrub
from aforesaid.storage.repositories.base import Repository
from aforesaid.storage.repositories.erasers import ErasureCounts

SQL = queries.named("erasures")

PORTIONS = ("erased", "recomputed", "kept")
HEAD_START = timedelta(minutes=1)  # for the process that erases to scrub the files itself


class Erasures(Repository):
    """Erasure of data. Each erasure is one transaction with its record. Then the store's files are scrubbed: at once,
    or by the job `scrub` if that is impossible."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database)
        self._scrubbing = scrub.Scrubber(database, clock)

    def forget(self, space: str, asked: ErasureRequest) -> Erasure:
        """Erases the target and everything derived from it. Raises NotFound if there is no such target."""
        made, _ = self._erase(space, asked, lambda session, key: (forget.forget_target(session, key, asked), None))
        return made

    def preview(self, space: str, asked: ErasureRequest) -> Erasure:
        """Returns what `forget` would do. Changes nothing."""

        def work(session: Session) -> Erasure:
            tally = forget.forget_target(session, _key(session, space), asked)
            raise _PreviewRollback(replace(_erasure(space, asked, tally, ()), dry_run=True))

        try:
            return self._database.write(work, space)
        except _PreviewRollback as rollback:
            return rollback.erasure

    def edit(self, space: str, draft: MessageDraft, asked: ErasureRequest) -> Message:
        """Gives a message the text of the draft; erases what was derived from the old text as `forget` does."""
        _, message = self._erase(
            space, asked, lambda session, key: forget.edit_message(session, (space, key), draft, asked)
        )
        return message

    @property
    def scrubs(self) -> bool:
        """True if this process may scrub: on a server, only the owner of the tables may."""
        return self._database.can_scrub

    def scrub(self) -> Mapping[str, str]:
        """Continues scrubbing. Returns the steps that are left, each with the reason."""
        return self._scrubbing.run()

    def list(self, space: str, limit: int) -> Sequence[Erasure]:
        """Returns the newest first."""
        rows = self._database.query(SQL["list"], {"space": space, "limit": limit}, space)
        return [_erasure_from_row(row) for row in rows]

    def verify(self, text: str, space: str | None) -> Verification:
        """Searches for a text in every table and in the bytes of every file."""
        return self._database.verify(text, space)

    def _erase(
        self, space: str, asked: ErasureRequest, erase: Callable[[Session, int], tuple[ErasureCounts, Message | None]]
    ) -> tuple[Erasure, Message]:
        def work(session: Session) -> tuple[Erasure, Message | None]:
            key = _key(session, space)
            tally, message = erase(session, key)
            made = _erasure(space, asked, tally, tuple(name for name, _ in self._database.scrubs))
            session.execute(SQL["add"], {"space_key": key, **_columns(made)})
            scrub.queue_scrub(session, asked.at + HEAD_START)
            return made, message

        made, message = scrub.scrubbed_write(self._database, work, space)
        return replace(made, pending=tuple(self._scrubbing.run())), message  # type: ignore[return-value]


class _PreviewRollback(Exception):
    """Rolls back the transaction of a preview."""

    def __init__(self, erasure: Erasure) -> None:
        self.erasure = erasure


def _erasure_from_row(row: Row) -> Erasure:
    portions = json.loads(row.portions)
    erased, recomputed, kept = (tuple(ErasureCount(*portion) for portion in portions[name]) for name in PORTIONS)
    pending = tuple(json.loads(row.pending))
    return Erasure(row.id, row.space, moment(row.at), row.target, erased, recomputed, kept, pending)


def _columns(erasure: Erasure) -> dict[str, Json]:
    portions = {name: [astuple(portion) for portion in getattr(erasure, name)] for name in PORTIONS}
    return {
        "id": erasure.id,
        "at": microseconds(erasure.at),
        "target": erasure.target,
        "portions": json.dumps(portions),
        "pending": json.dumps(erasure.pending),
    }


def _key(session: Session, space: str) -> int:
    key = session.key_of(space)
    if key is None:
        raise NotFound(f"there is no space {space!r}")
    return key


def _erasure(space: str, asked: ErasureRequest, tally: ErasureCounts, pending: tuple[str, ...]) -> Erasure:
    return Erasure(asked.erasure, space, asked.at, asked.target, *tally.portions(), pending=pending)
