"""What language models took."""

from __future__ import annotations

from datetime import datetime

from recollect.errors import CapReached
from recollect.ids import microseconds
from recollect.models import Cost, Spent
from recollect.stores import queries
from recollect.stores.database import Database, Session
from recollect.stores.ledger_rows import cost_columns
from recollect.stores.nouns.retrievals import ALWAYS

SQL = queries.named("costs")


class Costs:
    """Who reserves waits for its turn, and sees what every other process has reserved."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def reserve(self, cost: Cost, since: datetime, cap: int | None) -> None:
        def work(session: Session) -> None:
            session.execute(SQL["turn"])
            if cap is not None:
                _refuse_too_much(cost, _spent(session, since), cap)
            session.execute(SQL["add"], cost_columns(cost))

        self._database.write(work, durable=False)

    def settle(self, cost: Cost) -> None:
        self._database.write(lambda session: session.execute(SQL["settle"], cost_columns(cost)), durable=False)

    def spent(self, since: datetime) -> int:
        return int(self._database.query(SQL["spent"], {"since": microseconds(since)})[0][0])

    def totals(self, space: str | None, since: datetime | None, until: datetime | None) -> list[Spent]:
        window = {
            "since": -ALWAYS if since is None else microseconds(since),
            "until": ALWAYS if until is None else microseconds(until),
        }
        if space is None:
            found = self._database.query(SQL["of_all"], window, space)
        else:
            found = self._database.query(SQL["of_space"], {"space": space, **window}, space)
        return [Spent(*row) for row in found]


def _spent(session: Session, since: datetime) -> int:
    return int(session.fetch(SQL["spent"], {"since": microseconds(since)})[0][0])


def _refuse_too_much(cost: Cost, spent: int, cap: int) -> None:
    needed = cost.prompt_tokens + cost.completion_tokens
    if spent + needed > cap:
        raise CapReached(
            f"the day's cap of {cap:,} tokens is reached: {spent:,} are spent, and this call may take {needed:,}",
            needed=needed,
            spent=spent,
            cap=cap,
        )
