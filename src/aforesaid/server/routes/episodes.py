"""Routes for episodes and the arc of a conversation."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response
from pydantic import Field

from aforesaid.models.episode import Arc, Episode, EpisodeType
from aforesaid.server.dependencies import ReadableSpace, WritableSpace
from aforesaid.server.params import ConversationName, Id, Limit, Seq, StrictBody, UnitInterval
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


@router.get("/episodes")
def episodes_anywhere(
    space: ReadableSpace, type: Type = None, min_significance: MinSignificance = 0.0, limit: Limit = 50
) -> ListResponse[Episode]:
    """Lists the episodes of all conversations of the space, newest first."""
    return list_response(space.episodes(type, min_significance=min_significance, limit=limit))


@router.get(EPISODES)
def episodes(
    space: ReadableSpace,
    conversation: ConversationName,
    type: Type = None,
    min_significance: MinSignificance = 0.0,
    limit: Limit = 50,
) -> ListResponse[Episode]:
    """Lists the episodes of a conversation, in its order."""
    chat = space.conversation(conversation)
    return list_response(chat.episodes(type, min_significance=min_significance, limit=limit))


@router.post(EPISODES, status_code=201)
def note_episode(
    space: WritableSpace, conversation: ConversationName, body: EpisodeBody, response: Response
) -> Episode:
    """Adds an episode by hand."""
    episode = space.conversation(conversation).note_episode(**body.model_dump())
    set_location(response, space, "conversations", conversation, "episodes", episode.id)
    return episode


@router.get(EPISODES + "/{id}")
def episode(space: ReadableSpace, conversation: ConversationName, id: Id) -> Episode:
    """Returns one episode."""
    return space.conversation(conversation).episode(id)


@router.delete(EPISODES + "/{id}", status_code=204)
def remove_episode(space: WritableSpace, conversation: ConversationName, id: Id) -> None:
    """Removes an episode. No episode is extracted from its messages again."""
    space.conversation(conversation).remove_episode(id)


@router.get(CONVERSATION + "/arc")
def arc(space: ReadableSpace, conversation: ConversationName) -> Arc:
    """Summarizes a conversation in thirds, with its key moments."""
    return space.conversation(conversation).arc()
