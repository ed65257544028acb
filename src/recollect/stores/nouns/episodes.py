"""Episodes."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.errors import ConflictError, NotFound
from recollect.models import Episode, EpisodeType, Json
from recollect.records import Revision
from recollect.stores import episode_rows, queries
from recollect.stores.database import Database, Session
from recollect.stores.nouns import conversations, episode_notes, lineage, notes, spaces

SQL = queries.named("episodes")


class Episodes:
    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, episode: Episode) -> Episode:
        def work(session: Session) -> Episode:
            scope = _scope(session, episode.space, episode.conversation)
            if scope is None:
                raise NotFound(f"space {episode.space!r} has no conversation {episode.conversation!r}")
            _write(session, scope, episode)
            found = session.fetch(SQL["get"], scope | {"space": episode.space, "id": episode.id})
            return episode_rows.episode(found[0])

        return self._database.write(work, episode.space)

    def keep(self, episode: Episode, seen: Revision) -> bool:
        def work(session: Session) -> bool:
            scope = _scope(session, episode.space, episode.conversation)
            if scope is None or spaces.revision(session, episode.space) != seen:
                return False
            _write(session, scope, episode)
            return True

        return self._database.write(work, episode.space)

    def get(self, space: str, conversation: str, id: str) -> Episode | None:
        with self._database.read(space) as session:
            scope = _scope(session, space, conversation)
            found = [] if scope is None else session.fetch(SQL["get"], scope | {"space": space, "id": id})
        return episode_rows.episode(found[0]) if found else None

    def list(
        self, space: str, conversation: str, type: EpisodeType | None, least: float, limit: int | None
    ) -> list[Episode]:
        values = {"space": space, "type": type, "least": least, "limit": -1 if limit is None else limit}
        with self._database.read(space) as session:
            scope = _scope(session, space, conversation)
            found = [] if scope is None else session.fetch(SQL["list"], scope | values)
        return [episode_rows.episode(row) for row in found]

    def within(self, space: str, type: EpisodeType | None, least: float, limit: int) -> Sequence[Episode]:
        with self._database.read(space) as session:
            scope = {"space_key": spaces.key_of(session, space), "space": space}
            found = session.fetch(SQL["within"], scope | {"type": type, "least": least, "limit": limit})
        return [episode_rows.episode(row) for row in found]

    def reaching(self, space: str, conversation: str, seq: int) -> Sequence[Episode]:
        with self._database.read(space) as session:
            scope = _scope(session, space, conversation)
            values = {"space": space, "seq": seq}
            found = [] if scope is None else session.fetch(SQL["reaching"], scope | values)
        return [episode_rows.episode(row) for row in found]

    def delete(self, space: str, conversation: str, id: str) -> bool:
        def work(session: Session) -> bool:
            scope = _scope(session, space, conversation)
            found = [] if scope is None else session.fetch(SQL["key"], scope | {"id": id})
            if scope is None or not found:
                return False
            key, first, last = found[0]
            session.execute(SQL["remove"], scope | {"first_seq": first, "last_seq": last})
            session.execute(SQL["delete"], scope | {"id": id})
            lineage.remove(session, scope["space_key"], ("episode", key))
            notes.remove(session, scope["space_key"], "episode", [id])
            return True

        return self._database.write(work, space)

    def removed(self, space: str, conversation: str) -> Sequence[tuple[int, int]]:
        with self._database.read(space) as session:
            scope = _scope(session, space, conversation)
            return [] if scope is None else [(row[0], row[1]) for row in session.fetch(SQL["removed"], scope)]

    def keep_removed(self, space: str, conversation: str, ranges: Sequence[tuple[int, int]]) -> None:
        def work(session: Session) -> None:
            scope = _scope(session, space, conversation)
            if scope is not None:
                found = [scope | {"first_seq": first, "last_seq": last} for first, last in ranges]
                session.execute_each(SQL["remove"], found)

        self._database.write(work, space)


def withdraw(session: Session, space_key: int, key: int) -> None:
    """Removes an episode by its own key, as lineage names it; its messages may be found to tell of one again."""
    lineage.remove(session, space_key, ("episode", key))
    for (id,) in session.fetch(SQL["withdraw"], {"space_key": space_key, "episode_key": key}):
        notes.remove(session, space_key, "episode", [id])


def _scope(session: Session, space: str, conversation: str) -> dict[str, Json] | None:
    keys = conversations.keys_of(session, space, conversation)
    return None if keys is None else {"space_key": keys[0], "conversation_key": keys[1]}


def _write(session: Session, scope: dict[str, Json], episode: Episode) -> None:
    if not session.changed(SQL["save"], scope | episode_rows.columns(episode)):
        raise ConflictError(f"episode id {episode.id!r} is taken in another conversation", id=episode.id)
    _trace(session, scope, episode)


def _trace(session: Session, scope: dict[str, Json], episode: Episode) -> None:
    """Says which messages it was made from, as far as they are stored."""
    [(key, first, last)] = session.fetch(SQL["key"], scope | {"id": episode.id})
    span = {"conversation_key": scope["conversation_key"], "first_seq": first, "last_seq": last}
    messages = [("message", int(row[0])) for row in session.fetch(SQL["sources"], span)]
    lineage.remove(session, scope["space_key"], ("episode", key))
    lineage.put(session, scope["space_key"], ("episode", key), messages)
    episode_notes.note(session, scope["space_key"], key)
