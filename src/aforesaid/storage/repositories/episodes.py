"""Episodes."""

from __future__ import annotations

from collections.abc import Sequence

from aforesaid.errors import ConflictError, NotFound
from aforesaid.models.episode import Episode, EpisodeType
from aforesaid.models.json import Json
from aforesaid.models.space import SpaceRevision
from aforesaid.storage import queries
from aforesaid.storage.columns import from_row, to_columns
from aforesaid.storage.database import Session, first
from aforesaid.storage.repositories import lineage, notes, space_keys
from aforesaid.storage.repositories.base import Repository, transaction

SQL = queries.named("episodes")


class Episodes(Repository):
    @transaction()
    def save(self, session: Session, episode: Episode) -> Episode:
        """Writes or overwrites an episode, with the messages it was made from. Raises NotFound if its conversation is
        gone, ConflictError if the id belongs to another conversation."""
        scope = _scope(session, episode.space, episode.conversation)
        if scope is None:
            raise NotFound(f"space {episode.space!r} has no conversation {episode.conversation!r}")
        _write(session, scope, episode)
        values = {"space": episode.space, "id": episode.id, "last_seq": space_keys.NO_END}
        (row,) = session.fetch(SQL["get"], scope | values)
        return from_row(Episode, row)

    @transaction()
    def keep(self, session: Session, episode: Episode, seen: SpaceRevision) -> bool:
        """Like `save`, but returns False and writes nothing if a message was removed or edited since `seen`, or if the
        conversation is gone."""
        scope = _scope(session, episode.space, episode.conversation)
        if scope is None or space_keys.revision(session, episode.space) != seen:
            return False
        _write(session, scope, episode)
        return True

    def get(self, space: str, conversation: str, id: str) -> Episode | None:
        return next(iter(self._read("get", space, conversation, {"id": id})), None)

    def list(
        self, space: str, conversation: str, type: EpisodeType | None, least: float, limit: int | None
    ) -> Sequence[Episode]:
        """Returns episodes of at least this significance, in the order of the conversation."""
        values = {"type": type, "least": least, "limit": -1 if limit is None else limit}
        found = self._read("list", space, conversation, values)
        return found if limit is None else found[:limit]

    def within(self, space: str, type: EpisodeType | None, least: float, limit: int) -> Sequence[Episode]:
        """Returns those of a space, newest first."""
        values = {"space": space, "type": type, "least": least, "limit": limit}
        return [from_row(Episode, row) for row in self._database.query(SQL["within"], values, space)]

    def reaching(self, space: str, conversation: str, seq: int) -> Sequence[Episode]:
        """Returns those that end at this seq or later."""
        return self._read("reaching", space, conversation, {"seq": seq})

    @transaction()
    def delete(self, session: Session, space: str, conversation: str, id: str) -> bool:
        """Removes an episode, and those that were merged into it. Its range of messages stays among the `removed`
        ones."""
        scope = _scope(session, space, conversation)
        row = None if scope is None else first(session.fetch(SQL["key"], scope | {"id": id}))
        if scope is None or row is None:
            return False
        session.execute(SQL["remove"], scope | {"first_seq": row.first_seq, "last_seq": row.last_seq})
        merged, keys = session.fetch(SQL["merged"], scope), [row.episode_key]
        for key in keys:
            keys += [part.episode_key for part in merged if part.merged_into == key]
            withdraw(session, scope["space_key"], key)
        return True

    def removed(self, space: str, conversation: str) -> Sequence[tuple[int, int]]:
        """Returns the first and last seq of every removed episode."""
        rows = self._in_conversation(SQL["removed"], space, conversation, {})
        return [(row.first_seq, row.last_seq) for row in rows]

    @transaction()
    def import_removed(
        self, session: Session, space: str, conversation: str, ranges: Sequence[tuple[int, int]]
    ) -> None:
        scope = _scope(session, space, conversation)
        if scope is not None:
            rows = [scope | {"first_seq": start, "last_seq": stop} for start, stop in ranges]
            session.execute_each(SQL["remove"], rows)

    def _read(self, query: str, space: str, conversation: str, values: dict[str, Json]) -> Sequence[Episode]:
        """Reads those of the conversation's line: of shared messages too."""
        rows = self._each_segment(SQL[query], space, conversation, values)
        return [from_row(Episode, row) for segment in rows for row in segment]


def withdraw(session: Session, space_key: int, key: int) -> None:
    """Removes an episode by its own key, as lineage names it. What was merged into it is an episode of its own again.
    An episode may be found in its messages again."""
    lineage.remove(session, space_key, ("episode", key))
    for row in session.fetch(SQL["withdraw"], {"space_key": space_key, "episode_key": key}):
        notes.remove_notes(session, space_key, "episode", [row.id])
        scope = {"space_key": space_key, "conversation_key": row.conversation_key}
        for part in session.fetch(SQL["merged"], scope):
            if part.merged_into == key:
                unmerge(session, space_key, part.episode_key)


def unmerge(session: Session, space_key: int, key: int) -> None:
    """Makes an episode that was merged into another one visible again."""
    session.execute(SQL["unmerge"], {"space_key": space_key, "episode_key": key})
    notes.note_episode(session, space_key, key)


def _scope(session: Session, space: str, conversation: str) -> dict[str, Json] | None:
    keys = space_keys.conversation_keys(session, space, conversation)
    return keys._asdict() if keys else None


def _write(session: Session, scope: dict[str, Json], episode: Episode) -> None:
    """Records also which messages it was made from, as far as they are stored."""
    if not session.changed(SQL["save"], scope | to_columns(episode)):
        raise ConflictError(f"episode id {episode.id!r} is taken in another conversation", id=episode.id)
    (row,) = session.fetch(SQL["key"], scope | {"id": episode.id})
    owner = space_keys.ConversationKeys(scope["space_key"], scope["conversation_key"])
    messages = [("message", key) for key in space_keys.messages_between(session, owner, row.first_seq, row.last_seq)]
    lineage.remove(session, scope["space_key"], ("episode", row.episode_key))
    lineage.put(session, scope["space_key"], ("episode", row.episode_key), messages)
    notes.note_episode(session, scope["space_key"], row.episode_key)
