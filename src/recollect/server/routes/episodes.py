"""What happened."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response
from pydantic import BaseModel, Field

from recollect.models import Arc, Episode, EpisodeType
from recollect.server.given import Body, Share
from recollect.server.made import made
from recollect.server.noun import noun
from recollect.server.page import Limit
from recollect.server.paths import ConversationName, Id
from recollect.server.scope import Readable, Writable

router = noun("episodes")
CONVERSATION = "/conversations/{conversation}"
HERE = CONVERSATION + "/episodes"

Type = Annotated[EpisodeType | None, Query()]
Least = Annotated[float, Query(ge=0, le=1, description="At least so significant.")]
Seq = Annotated[int, Field(ge=0, le=2**53)]


class Noting(Body):
    """What happened from message `first` to `last`, by their seqs; with the newest message, without them."""

    title: str = Field(examples=["Lisbon it is"])
    type: EpisodeType = Field(examples=["decision_made"])
    first: Seq | None = None
    last: Seq | None = None
    summary: str | None = None
    outcome: str | None = None
    valence: float = Field(0.0, ge=-1, le=1)
    significance: Share = 0.5
    facts: list[str] = Field(default=[], max_length=1000, description="The ids of facts that belong to it.")


class Episodes(BaseModel):
    items: list[Episode]


@router.get("/episodes")
def episodes_anywhere(space: Readable, type: Type = None, min_significance: Least = 0.0, limit: Limit = 50) -> Episodes:
    """What happened in any conversation of the space, the newest first."""
    return Episodes(items=space.episodes(type, min_significance=min_significance, limit=limit))


@router.get(HERE)
def episodes(
    space: Readable,
    conversation: ConversationName,
    type: Type = None,
    min_significance: Least = 0.0,
    limit: Limit = 50,
) -> Episodes:
    """What happened, in the order of the conversation."""
    found = space.conversation(conversation).episodes(type, min_significance=min_significance, limit=limit)
    return Episodes(items=found)


@router.post(HERE, status_code=201)
def note_episode(space: Writable, conversation: ConversationName, body: Noting, response: Response) -> Episode:
    """Notes by hand what happened."""
    noted = space.conversation(conversation).note_episode(**body.model_dump())
    made(response, space, "conversations", conversation, "episodes", noted.id)
    return noted


@router.get(HERE + "/{id}")
def episode(space: Readable, conversation: ConversationName, id: Id) -> Episode:
    """One episode."""
    return space.conversation(conversation).episode(id)


@router.delete(HERE + "/{id}", status_code=204)
def remove_episode(space: Writable, conversation: ConversationName, id: Id) -> None:
    """Removes an episode. Nothing is found to have happened in its messages any more."""
    space.conversation(conversation).remove_episode(id)


@router.get(CONVERSATION + "/arc")
def arc(space: Readable, conversation: ConversationName) -> Arc:
    """How the conversation went, in thirds, and its key moments."""
    return space.conversation(conversation).arc()
