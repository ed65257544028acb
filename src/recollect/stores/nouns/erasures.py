"""Forgetting and editing: one transaction, then the files are scrubbed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from recollect.errors import NotFound
from recollect.models import Erasure, Message, Verification
from recollect.ports import Clock
from recollect.records import Forget, MessageDraft
from recollect.stores import erasure_rows, queries
from recollect.stores.database import Database, Session
from recollect.stores.nouns import edit, forget, scrub, scrubbing, spaces
from recollect.stores.nouns.tally import Tally

SQL = queries.named("erasures")

HEAD_START = timedelta(minutes=1)  # for the process that forgets to scrub the files itself


class Erasures:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._scrubbing = scrubbing.Scrubbing(database, clock)

    def forget(self, space: str, asked: Forget) -> Erasure:
        made, _ = self._erase(space, asked, lambda session, key: (forget.forget(session, key, asked), None))
        return made

    def preview(self, space: str, asked: Forget) -> Erasure:
        found: list[Erasure] = []

        def work(session: Session) -> None:
            tally = forget.forget(session, _key(session, space), asked)
            found.append(replace(_erasure(space, asked, tally, ()), dry_run=True))
            raise _OnlyLooked

        try:
            self._database.write(work, space)
        except _OnlyLooked:
            return found[0]
        raise AssertionError("a preview never commits")

    def edit(self, space: str, draft: MessageDraft, asked: Forget) -> Message:
        _, message = self._erase(space, asked, lambda session, key: edit.edit(session, (space, key), draft, asked))
        return message

    @property
    def scrubs(self) -> bool:
        return self._database.cleans

    def scrub(self) -> Mapping[str, str]:
        return self._scrubbing.run()

    def list(self, space: str, limit: int) -> Sequence[Erasure]:
        found = self._database.query(SQL["list"], {"space": space, "limit": limit}, space)
        return [erasure_rows.erasure(row) for row in found]

    def verify(self, text: str, space: str | None) -> Verification:
        return self._database.verify(text, space)

    def _erase(
        self, space: str, asked: Forget, erase: Callable[[Session, int], tuple[Tally, Message | None]]
    ) -> tuple[Erasure, Message]:
        def work(session: Session) -> tuple[Erasure, Message | None]:
            key = _key(session, space)
            tally, message = erase(session, key)
            made = _erasure(space, asked, tally, tuple(name for name, _ in self._database.scrubs))
            session.execute(SQL["add"], {"space_key": key, **erasure_rows.columns(made)})
            scrubbing.queue(session, asked.at + HEAD_START)
            return made, message

        made, message = scrub.write(self._database, work, space)
        return replace(made, pending=tuple(self._scrubbing.run())), message  # type: ignore[return-value]


class _OnlyLooked(Exception):
    """Takes back the transaction of a preview."""


def _key(session: Session, space: str) -> int:
    key = spaces.key_of(session, space)
    if key is None:
        raise NotFound(f"there is no space {space!r}")
    return key


def _erasure(space: str, asked: Forget, tally: Tally, pending: tuple[str, ...]) -> Erasure:
    return Erasure(asked.erasure, space, asked.at, asked.target, *tally.portions(), pending=pending)
