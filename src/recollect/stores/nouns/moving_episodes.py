"""Episodes with what they were merged into, as they come back, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from recollect.errors import ConflictError, NotFound
from recollect.models import Episode, Json
from recollect.records import KeptEpisode
from recollect.stores import episode_rows, queries
from recollect.stores.nouns import conversations, episode_notes, lineage, notes, spaces
from recollect.stores.sqlite.database import fetch

SQL = queries.named("sqlite", "moving")
EPISODES = queries.named("sqlite", "episodes")


def keep(connection: apsw.Connection, space: str, kept: Sequence[KeptEpisode]) -> None:
    own = {one.episode.id for one in kept}
    fresh = [one for one in kept if _save(connection, space, one.episode, own)]
    space_key = spaces.key_needed(connection, space)
    for one in fresh:
        scope: dict[str, Json] = {"space_key": space_key, "id": one.episode.id}
        connection.execute(SQL["merge_episode"], scope | {"into": one.merged_into})
        for (key,) in fetch(connection, SQL["episode"], scope):
            episode_notes.note(connection, space_key, key)


def _save(connection: apsw.Connection, space: str, episode: Episode, own: set[str]) -> bool:
    """Says whether it was not there yet."""
    keys = conversations.keys_of(connection, space, episode.conversation)
    if keys is None:
        raise NotFound(f"space {space!r} has no conversation {episode.conversation!r}")
    scope: dict[str, Json] = {"space_key": keys[0], "conversation_key": keys[1]}
    if fetch(connection, EPISODES["key"], scope | {"id": episode.id}):
        return False
    columns = episode_rows.columns(episode)
    for key, id in fetch(connection, SQL["episode_twins"], scope | columns):
        if id not in own:
            lineage.remove(connection, keys[0], ("episode", key))
            notes.remove(connection, keys[0], "episode", [id])
            connection.execute(SQL["drop_episode"], {"episode_key": key})
    connection.execute(EPISODES["save"], scope | columns)
    if not connection.changes():
        raise ConflictError(f"episode id {episode.id!r} is taken in another conversation", id=episode.id)
    return True
