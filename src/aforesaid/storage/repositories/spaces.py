"""Spaces and their statistics."""

from __future__ import annotations

from datetime import datetime

from aforesaid.errors import NotFound
from aforesaid.models.space import SpaceInfo, SpaceRevision, Stats
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row
from aforesaid.storage.database import Session, first, scalar
from aforesaid.storage.repositories import cascade, space_keys
from aforesaid.storage.repositories.base import Repository, transaction

SQL = queries.named("spaces")
STATS = queries.named("stats")


class Spaces(Repository):
    def start(self, space: str, at: datetime) -> None:
        """Creates the space unless it exists."""
        self._database.write(lambda session: space_keys.key_or_create(session, space, at), space)

    def list(self, limit: int, after: str | None) -> list[SpaceInfo]:
        with self._database.read() as session:
            start = 0 if after is None else session.key_of(after)
            if start is None:
                raise NotFound(f"there is no space {after!r} to continue after; start the list again")
            rows = session.fetch(SQL["list"], {"after": start, "limit": limit})
        return [from_row(SpaceInfo, row) for row in rows]

    def get(self, space: str) -> SpaceInfo | None:
        row = first(self._database.query(SQL["get"], {"space": space}, space))
        return from_row(SpaceInfo, row) if row else None

    def revision(self, space: str) -> SpaceRevision | None:
        """Returns a value that changes whenever a message is removed from the space or edited, and never repeats.
        Returns None if there is no such space. Read it before the messages that something is derived from."""
        with self._database.read(space) as session:
            return space_keys.revision(session, space)

    @transaction()
    def delete(self, session: Session, space: str) -> bool:
        key = session.key_of(space)
        if key is not None:
            space_keys.refuse_if_held(session, space)
            cascade.delete_space(session, key)
        return key is not None


class SpaceStats(Repository):
    def of(self, space: str) -> Stats:
        """Returns zeros for a space that does not exist."""
        with self._database.read(space) as session:
            key = session.key_of(space)
            return Stats() if key is None else _stats(session, {"space_key": key})


def _stats(session: Session, scope: dict[str, int]) -> Stats:
    (counts,) = session.fetch(STATS["counts"], scope)
    (records,) = session.fetch(STATS["records"], scope)
    (index,) = session.fetch(STATS["full_text"])
    sizes = {
        "text": int(scalar(session.fetch(STATS["text"], scope))),
        "full_text": round(index.bytes * int(counts.terms) / index.terms) if index.terms else 0,
        "vectors": int(scalar(session.fetch(STATS["vectors"], scope))),
    }
    return Stats(
        conversations=int(counts.conversations),
        messages=int(counts.messages),
        chunks=int(counts.chunks),
        summaries=records.summaries,
        pins=records.pins,
        facts=records.facts,
        episodes=records.episodes,
        items=records.items,
        bytes=sizes,
    )
