"""Compares the engine's index of large spaces with their vectors, and queues what is missing."""

from __future__ import annotations

from datetime import datetime

from recollect.ids import microseconds
from recollect.stores import queries
from recollect.stores.database import Database, NearIndex, Place, Session
from recollect.stores.nouns import jobs, near
from recollect.stores.nouns.near_filling import serving

SQL = queries.named("near")


class NearCheck:
    def __init__(self, database: Database, index: NearIndex, at: datetime) -> None:
        self._database = database
        self._index = index
        self._at = at

    def note(self) -> str:
        """What is to be known where nothing is wrong."""
        return "ok" if self._index.reason is None else f"not needed yet; {self._index.reason}"

    def look(self) -> tuple[int, str]:
        with self._database.read() as session:
            count = len(self._without(session)) + len(session.fetch(SQL["uneven"]))
        reason = self._index.reason or "the index is missing, or is not that of their vectors"
        return count, f"large spaces are searched exactly: {reason}"

    def queue(self) -> None:
        def work(session: Session) -> None:
            spaces = {space_key for space_key, _ in session.fetch(SQL["uneven"])}
            for space_key, model_key in session.fetch(SQL["uneven"]):
                session.execute(SQL["leave"], {"space_key": space_key, "model_key": model_key})
            if self._index.reason is None:
                for space_key in sorted(spaces | {place.space for place in self._without(session)}):
                    jobs.insert(session, "near", space_key, space_key, microseconds(self._at))

        self._database.write(work, alone=True)

    def _without(self, session: Session) -> list[Place]:
        """Large spaces that have no index, and no work that will make one."""
        model = serving(session)
        if model is None or not self._index.fits(model[2]):
            return []
        large = session.fetch(SQL["large"], {"model_key": model[0], "least": self._index.least})
        places = [Place(space_key, model[0], model[2]) for (space_key,) in large]
        return [place for place in places if not _ready(session, place) and not _awaited(session, place)]


def _ready(session: Session, place: Place) -> bool:
    return session.near is not None and session.near.ready(place)


def _awaited(session: Session, place: Place) -> bool:
    return bool(session.fetch(SQL["awaited"], near.keys(place)))
