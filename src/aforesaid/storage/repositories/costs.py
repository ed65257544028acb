"""The tokens that language models used, and the daily cap on them."""

from __future__ import annotations

from datetime import datetime

from aforesaid.errors import CapReached
from aforesaid.ids import microseconds
from aforesaid.models.cost import Cost, CostTotal
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, to_columns, window
from aforesaid.storage.database import Session, scalar
from aforesaid.storage.repositories.base import Repository

SQL = queries.named("costs")
LOCKS = queries.named("locks")


class Costs(Repository):
    """The tokens that calls of language models take: one row per call, reserved before it and settled after it."""

    def reserve(self, cost: Cost, since: datetime, cap: int | None) -> None:
        """Writes the most that a call may take, before it is made. Raises CapReached and writes nothing if that and
        all that was spent from `since` on exceed `cap`. Concurrent reservations are serialized."""

        def work(session: Session) -> None:
            session.execute(LOCKS["wait"], {"name": " costs"})
            if cap is not None:
                spent = int(scalar(session.fetch(SQL["spent"], {"since": microseconds(since)})))
                _refuse_too_much(cost, spent, cap)
            session.execute(SQL["add"], to_columns(cost))

        self._database.write(work, durable=False)

    def settle(self, cost: Cost) -> None:
        """Replaces the reservation by the tokens that the call used."""
        self._database.write(lambda session: session.execute(SQL["settle"], to_columns(cost)), durable=False)

    def spent(self, since: datetime) -> int:
        """Returns the tokens from `since` on, of the whole store, including reservations."""
        return int(scalar(self._database.query(SQL["spent"], {"since": microseconds(since)})))

    def totals(self, space: str | None, since: datetime | None, until: datetime | None) -> list[CostTotal]:
        """Returns totals by model and operation, from `since` on and before `until`, of one space or of all, deleted
        ones included."""
        query = SQL["of_all" if space is None else "of_space"]
        rows = self._database.query(query, {"space": space, **window(since, until)}, space)
        return [from_row(CostTotal, row, failed=row.errors, open=row.unsettled) for row in rows]


def _refuse_too_much(cost: Cost, spent: int, cap: int) -> None:
    needed = cost.prompt_tokens + cost.completion_tokens
    if spent + needed > cap:
        raise CapReached(
            f"the day's cap of {cap:,} tokens is reached: {spent:,} are spent, and this call may use {needed:,}",
            needed=needed,
            spent=spent,
            cap=cap,
        )
