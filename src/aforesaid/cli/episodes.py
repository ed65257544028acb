"""The commands `episodes` and `arc`: what happened in a conversation or a space."""

from __future__ import annotations

from typing import Annotated

import typer

from aforesaid import ArcPart, Episode
from aforesaid.cli.options import SPACE, STORE, AnyConversation, AsJson, ConversationName, Limit, SpaceName, Store
from aforesaid.cli.output import Table, print_result, shorten, show
from aforesaid.cli.store import open_conversation, open_space
from aforesaid.errors import InvalidInput
from aforesaid.models.episode import EpisodeType

TITLE_LENGTH = 60
EPISODE_COLUMNS = ("id", "conversation", "messages", "type", "significance", "valence", "title")


def episodes(
    conversation: AnyConversation = None,
    *,
    space: SpaceName = SPACE,
    type: Annotated[EpisodeType | None, typer.Option("--type", help="Only episodes of this type.")] = None,
    significance: Annotated[float, typer.Option("--significance", metavar="X", help="At least this, 0 to 1.")] = 0.0,
    limit: Limit = 50,
    remove: Annotated[
        str | None, typer.Option("--remove", metavar="ID", help="First remove this episode of the conversation.")
    ] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """List episodes: of one conversation in its order, or of the whole space, newest first.

    Example: aforesaid episodes trip --significance 0.7
    """
    if conversation is None:
        if remove is not None:
            raise InvalidInput("--remove needs the conversation of the episode")
        with open_space(store, space) as known:
            page = known.episodes(type, min_significance=significance, limit=limit)
    else:
        with open_conversation(store, space, conversation) as chat:
            if remove is not None:
                chat.remove_episode(remove)
            page = chat.episodes(type, min_significance=significance, limit=limit)
    columns = [column for column in EPISODE_COLUMNS if conversation is None or column != "conversation"]
    rows = ([values[column] for column in columns] for values in map(_episode_row, page))
    print_result(page, as_json, Table(columns, rows))


def _episode_row(episode: Episode) -> dict[str, object]:
    return {
        "id": episode.id,
        "conversation": episode.conversation,
        "messages": f"{episode.first_seq}-{episode.last_seq}",
        "type": episode.type,
        "significance": f"{episode.significance:.2f}",
        "valence": f"{episode.valence:+.2f}",
        "title": shorten(episode.title, TITLE_LENGTH),
    }


def arc(
    conversation: ConversationName, *, space: SpaceName = SPACE, store: Store = STORE, as_json: AsJson = False
) -> None:
    """Show the beginning, middle and end of a conversation, and its key moments.

    Example: aforesaid arc trip
    """
    with open_conversation(store, space, conversation) as chat:
        parts = chat.arc()
    thirds = (("beginning", parts.beginning), ("middle", parts.middle), ("end", parts.end))
    rows = (_third_row(*third) for third in thirds)
    print_result(parts, as_json, Table(("", "messages", "summary", "episodes"), rows))
    for episode in () if as_json else parts.key_moments:
        show(f"key moment: {episode.title} ({episode.type}, messages {episode.first_seq}-{episode.last_seq})")


def _third_row(name: str, third: ArcPart) -> tuple[object, ...]:
    span = f"{third.first_seq}-{third.last_seq}" if third.last_seq >= third.first_seq else ""
    return name, span, third.summary, "\n".join(episode.title for episode in third.episodes)
