"""How often messages were handed out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from recollect.ids import microseconds
from recollect.models import Access
from recollect.stores import ledger_rows, queries
from recollect.stores.database import Database, Session
from recollect.stores.nouns import spaces

SQL = queries.named("accesses")

PAGE = 1_000  # accesses read at once where all of them are wanted


def add(session: Session, space_key: int, handed: Iterable[tuple[Collection[str], datetime]]) -> None:
    """Counts, for each time that messages were handed out, one access of each of them that is still there."""
    counts: dict[str, tuple[int, int]] = {}
    for messages, at in handed:
        for id in set(messages):
            count, last = counts.get(id, (0, 0))
            counts[id] = (count + 1, max(last, microseconds(at)))
    if counts:
        rows = [(id, *count) for id, count in counts.items()]
        session.execute(SQL["add"], {"space_key": space_key, "handed": ledger_rows.written(rows)})


class Accesses:
    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, space: str, message_ids: Sequence[str]) -> Mapping[str, Access]:
        with self._database.read(space) as session:
            scope = {"space_key": spaces.key_of(session, space), "ids": ledger_rows.written(message_ids)}
            return {row[0]: ledger_rows.access(row) for row in session.fetch(SQL["of"], scope)}

    def counts(self, space: str, keys: Sequence[int]) -> Mapping[int, int]:
        with self._database.read(space) as session:
            scope = {"space_key": spaces.key_of(session, space), "keys": ledger_rows.written(keys)}
            return dict(session.fetch(SQL["counts"], scope))

    def all(self, space: str) -> Iterator[Access]:
        after = 0
        while True:
            with self._database.read(space) as session:
                scope = {"space_key": spaces.key_of(session, space), "after": after, "limit": PAGE}
                page = session.fetch(SQL["after"], scope)
            if not page:
                return
            yield from map(ledger_rows.access, page)
            after = page[-1][3]

    def restore(self, space: str, accesses: Sequence[Access]) -> None:
        def work(session: Session) -> None:
            space_key = spaces.key_of(session, space)
            for access in accesses:
                values = {"id": access.message_id, "count": access.count, "last_at": microseconds(access.last_at)}
                session.execute(SQL["restore"], {"space_key": space_key, **values})

        self._database.write(work, space)
