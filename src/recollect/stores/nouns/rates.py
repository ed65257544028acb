"""How much of its rate each caller was given, by all processes together."""

from __future__ import annotations

from recollect.ids import microseconds
from recollect.records import Allotment
from recollect.stores import queries
from recollect.stores.database import Database, Session

SQL = queries.named("rates")


class Rates:
    def __init__(self, database: Database) -> None:
        self._database = database

    def allot(self, asked: Allotment) -> int:
        span = round(asked.seconds * 1_000_000)
        stretch, into = divmod(microseconds(asked.at), span)
        names = {"principal": asked.principal, "stretch": stretch, "before": stretch - 1}

        def work(session: Session) -> int:
            session.fetch(SQL["turn"], names)
            given: dict[int, int] = dict(session.fetch(SQL["given"], names))
            counted = given.get(stretch - 1, 0) * (1 - into / span) + sum(
                count for at, count in given.items() if at >= stretch
            )
            granted = max(0, min(asked.wanted, int(asked.most - counted)))
            if granted:
                session.execute(SQL["give"], names | {"count": granted})
                session.execute(SQL["forget"], names)
            return granted

        return self._database.write(work, durable=False)
