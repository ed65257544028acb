"""Routes for episodes and the arc of a conversation."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response
from pydantic import Field

from aforesaid.models.episode import Arc, Episode, EpisodeType
from aforesaid.server.dependencies import ReadableConversation, ReadableSpace, WritableConversation
from aforesaid.server.params import Id, Limit, Masked, Seq, StrictBody, UnitInterval
from aforesaid.server.router import ListResponse, api_router, list_response, set_location

router = api_router("episodes")
CONVERSATION = "/conversations/{conversation}"
EPISODES = CONVERSATION + "/episodes"

Type = Annotated[EpisodeType | None, Query()]
MinSignificance = Annotated[float, Query(ge=0, le=1, description="The minimum significance.")]


class EpisodeBody(StrictBody):
    """An episode from message `first` to message `last`, by seq. Default: the newest message."""

    title: str = Field(examples=["Lisbon it is"])
    type: EpisodeType = Field(examples=["decision_made"])
    first: Seq | None = None
    last: Seq | None = None
    summary: str | None = None
    outcome: str | None = None
    valence: float = Field(0.0, ge=-1, le=1)
    significance: UnitInterval = 0.5
    facts: list[str] = Field(default=[], max_length=1000, description="The ids of its facts.")


@router.get("/episodes", name="list_anywhere")
def episodes_anywhere(
    space: ReadableSpace, type: Type = None, min_significance: MinSignificance = 0.0, limit: Limit = 50
) -> ListResponse[Episode]:
    """Lists the episodes of all conversations of the space, newest first."""
    return list_response(space.episodes(type, min_significance=min_significance, limit=limit))


@router.get(EPISODES, name="list")
def episodes(
    chat: ReadableConversation,
    *,
    type: Type = None,
    min_significance: MinSignificance = 0.0,
    limit: Limit = 50,
    masked: Masked = False,
) -> ListResponse[Episode]:
    """Lists the episodes of a conversation, in its order."""
    return list_response(chat.episodes(type, min_significance=min_significance, limit=limit, masked=masked))


@router.post(EPISODES, status_code=201, name="create")
def note_episode(chat: WritableConversation, body: EpisodeBody, response: Response) -> Episode:
    """Adds an episode by hand."""
    episode = chat.note_episode(**body.model_dump())
    set_location(response, chat, "episodes", episode.id)
    return episode


@router.get(EPISODES + "/{id}", name="get")
def episode(chat: ReadableConversation, id: Id) -> Episode:
    """Returns one episode."""
    return chat.episode(id)


@router.delete(EPISODES + "/{id}", status_code=204, name="delete")
def remove_episode(chat: WritableConversation, id: Id) -> None:
    """Removes an episode. No episode is extracted from its messages again."""
    chat.remove_episode(id)


@router.get(CONVERSATION + "/arc")
def arc(chat: ReadableConversation, *, masked: Masked = False) -> Arc:
    """Summarizes a conversation in thirds, with its key moments."""
    return chat.arc(masked=masked)
