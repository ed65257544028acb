"""Episodes in SQLite."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from recollect.errors import ConflictError, NotFound
from recollect.models import Episode, EpisodeType, Json
from recollect.records import Revision
from recollect.stores import episode_rows, queries
from recollect.stores.nouns import conversations, episode_notes, lineage, notes, spaces
from recollect.stores.sqlite.database import Database, fetch

SQL = queries.named("sqlite", "episodes")


class SqliteEpisodes:
    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, episode: Episode) -> Episode:
        def work(connection: apsw.Connection) -> Episode:
            scope = _scope(connection, episode.space, episode.conversation)
            if scope is None:
                raise NotFound(f"space {episode.space!r} has no conversation {episode.conversation!r}")
            _write(connection, scope, episode)
            return episode

        return self._database.write(work)

    def keep(self, episode: Episode, seen: Revision) -> bool:
        def work(connection: apsw.Connection) -> bool:
            scope = _scope(connection, episode.space, episode.conversation)
            if scope is None or spaces.revision(connection, episode.space) != seen:
                return False
            _write(connection, scope, episode)
            return True

        return self._database.write(work)

    def get(self, space: str, conversation: str, id: str) -> Episode | None:
        with self._database.read() as connection:
            scope = _scope(connection, space, conversation)
            found = [] if scope is None else fetch(connection, SQL["get"], scope | {"space": space, "id": id})
        return episode_rows.episode(found[0]) if found else None

    def list(
        self, space: str, conversation: str, type: EpisodeType | None, least: float, limit: int | None
    ) -> list[Episode]:
        values = {"space": space, "type": type, "least": least, "limit": -1 if limit is None else limit}
        with self._database.read() as connection:
            scope = _scope(connection, space, conversation)
            found = [] if scope is None else fetch(connection, SQL["list"], scope | values)
        return [episode_rows.episode(row) for row in found]

    def within(self, space: str, type: EpisodeType | None, least: float, limit: int) -> Sequence[Episode]:
        with self._database.read() as connection:
            scope = {"space_key": spaces.key_of(connection, space), "space": space}
            found = fetch(connection, SQL["within"], scope | {"type": type, "least": least, "limit": limit})
        return [episode_rows.episode(row) for row in found]

    def reaching(self, space: str, conversation: str, seq: int) -> Sequence[Episode]:
        with self._database.read() as connection:
            scope = _scope(connection, space, conversation)
            values = {"space": space, "seq": seq}
            found = [] if scope is None else fetch(connection, SQL["reaching"], scope | values)
        return [episode_rows.episode(row) for row in found]

    def delete(self, space: str, conversation: str, id: str) -> bool:
        def work(connection: apsw.Connection) -> bool:
            scope = _scope(connection, space, conversation)
            found = [] if scope is None else fetch(connection, SQL["key"], scope | {"id": id})
            if scope is None or not found:
                return False
            key, first, last = found[0]
            connection.execute(SQL["remove"], scope | {"first_seq": first, "last_seq": last})
            connection.execute(SQL["delete"], scope | {"id": id})
            lineage.remove(connection, scope["space_key"], ("episode", key))
            notes.remove(connection, scope["space_key"], "episode", [id])
            return True

        return self._database.write(work)

    def removed(self, space: str, conversation: str) -> Sequence[tuple[int, int]]:
        with self._database.read() as connection:
            scope = _scope(connection, space, conversation)
            return [] if scope is None else [(row[0], row[1]) for row in fetch(connection, SQL["removed"], scope)]

    def keep_removed(self, space: str, conversation: str, ranges: Sequence[tuple[int, int]]) -> None:
        def work(connection: apsw.Connection) -> None:
            scope = _scope(connection, space, conversation)
            if scope is not None:
                found = [scope | {"first_seq": first, "last_seq": last} for first, last in ranges]
                connection.executemany(SQL["remove"], found)

        self._database.write(work)


def withdraw(connection: apsw.Connection, space_key: int, key: int) -> None:
    """Removes an episode by its own key, as lineage names it; its messages may be found to tell of one again."""
    lineage.remove(connection, space_key, ("episode", key))
    for (id,) in fetch(connection, SQL["withdraw"], {"space_key": space_key, "episode_key": key}):
        notes.remove(connection, space_key, "episode", [id])


def _scope(connection: apsw.Connection, space: str, conversation: str) -> dict[str, Json] | None:
    keys = conversations.keys_of(connection, space, conversation)
    return None if keys is None else {"space_key": keys[0], "conversation_key": keys[1]}


def _write(connection: apsw.Connection, scope: dict[str, Json], episode: Episode) -> None:
    connection.execute(SQL["save"], scope | episode_rows.columns(episode))
    if not connection.changes():
        raise ConflictError(f"episode id {episode.id!r} is taken in another conversation", id=episode.id)
    _trace(connection, scope, episode)


def _trace(connection: apsw.Connection, scope: dict[str, Json], episode: Episode) -> None:
    """Says which messages it was made from, as far as they are stored."""
    [(key, first, last)] = fetch(connection, SQL["key"], scope | {"id": episode.id})
    span = {"conversation_key": scope["conversation_key"], "first_seq": first, "last_seq": last}
    messages = [("message", int(row[0])) for row in fetch(connection, SQL["sources"], span)]
    lineage.remove(connection, scope["space_key"], ("episode", key))
    lineage.put(connection, scope["space_key"], ("episode", key), messages)
    episode_notes.note(connection, scope["space_key"], key)
