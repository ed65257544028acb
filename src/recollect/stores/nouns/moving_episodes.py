"""Episodes with what they were merged into, as they come back, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.errors import ConflictError, NotFound
from recollect.models import Episode, Json
from recollect.records import KeptEpisode
from recollect.stores import episode_rows, queries
from recollect.stores.database import Session
from recollect.stores.nouns import conversations, episode_notes, lineage, notes, spaces

SQL = queries.named("moving")
EPISODES = queries.named("episodes")


def keep(session: Session, space: str, kept: Sequence[KeptEpisode]) -> None:
    own = {one.episode.id for one in kept}
    fresh = [one for one in kept if _save(session, space, one.episode, own)]
    space_key = spaces.key_needed(session, space)
    for one in fresh:
        scope: dict[str, Json] = {"space_key": space_key, "id": one.episode.id}
        session.execute(SQL["merge_episode"], scope | {"into": one.merged_into})
        for (key,) in session.fetch(SQL["episode"], scope):
            episode_notes.note(session, space_key, key)


def _save(session: Session, space: str, episode: Episode, own: set[str]) -> bool:
    """Says whether it was not there yet."""
    keys = conversations.keys_of(session, space, episode.conversation)
    if keys is None:
        raise NotFound(f"space {space!r} has no conversation {episode.conversation!r}")
    scope: dict[str, Json] = {"space_key": keys[0], "conversation_key": keys[1]}
    if session.fetch(EPISODES["key"], scope | {"id": episode.id}):
        return False
    columns = episode_rows.columns(episode)
    for key, id in session.fetch(SQL["episode_twins"], scope | columns):
        if id not in own:
            lineage.remove(session, keys[0], ("episode", key))
            notes.remove(session, keys[0], "episode", [id])
            session.execute(SQL["drop_episode"], {"episode_key": key})
    if not session.changed(EPISODES["save"], scope | columns):
        raise ConflictError(f"episode id {episode.id!r} is taken in another conversation", id=episode.id)
    return True
