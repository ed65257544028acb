"""API keys, of which only digests are stored, and the rate limits of their holders."""

from __future__ import annotations

from datetime import datetime

from aforesaid.ids import microseconds
from aforesaid.models.key import Key, RateLimitRequest
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, to_columns
from aforesaid.storage.database import Session, first
from aforesaid.storage.repositories.base import Repository

SQL = queries.named("keys")
LOCKS = queries.named("locks")
RATES = queries.named("rates")


class Keys(Repository):
    def add(self, key: Key, digest: bytes) -> None:
        columns = {**to_columns(key), "digest": digest}
        self._database.write(lambda session: session.execute(SQL["add"], columns))

    def get(self, id: str) -> tuple[Key, bytes] | None:
        """Returns the key and the digest of its secret."""
        row = first(self._database.query(SQL["get"], {"id": id}))
        return (from_row(Key, row), row.digest) if row else None

    def list(self) -> list[Key]:
        return [from_row(Key, row) for row in self._database.query(SQL["list"], {})]

    def revoke(self, id: str, at: datetime) -> None:
        """A key that is revoked already keeps its time."""
        values = {"id": id, "at": microseconds(at)}
        self._database.write(lambda session: session.execute(SQL["revoke"], values))


class Rates(Repository):
    """Rate limits of each caller, over all processes."""

    def allot(self, request: RateLimitRequest) -> int:
        """Returns how many of the wanted calls are allowed, and counts them as made. The calls of the previous window
        count in proportion to how much of it still lies within the period."""
        length = round(request.seconds * 1_000_000)
        window, elapsed = divmod(microseconds(request.at), length)
        names = {"principal": request.principal, "stretch": window, "before": window - 1}

        def work(session: Session) -> int:
            session.fetch(LOCKS["wait"], {"name": f" rate {request.principal}"})
            counts = {row.stretch: row.count for row in session.fetch(RATES["given"], names)}
            used = counts.get(window - 1, 0) * (1 - elapsed / length)
            used += sum(count for number, count in counts.items() if number >= window)
            granted = max(0, min(request.wanted, int(request.most - used)))
            if granted:
                session.execute(RATES["give"], names | {"count": granted})
                session.execute(RATES["forget"], names)
            return granted

        return self._database.write(work, durable=False)
