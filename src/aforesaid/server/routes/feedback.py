"""Routes for feedback on hits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Query
from pydantic import Field

from aforesaid.models.feedback import Feedback, RatedMessage
from aforesaid.server.dependencies import AdminSpace, ReadableSpace, WritableSpace
from aforesaid.server.params import Limit, ShortText, StrictBody
from aforesaid.server.router import ListResponse, api_router, list_response

router = api_router("feedback", "/feedback")


class FeedbackBody(StrictBody):
    """A verdict on a message, as an answer to a question."""

    query: str = Field(
        description="The question that the message was recalled for.", examples=["Which seat do I like?"]
    )
    message: ShortText = Field(description="The id of the message.")
    useful: bool = True


@dataclass(frozen=True, slots=True)
class FeedbackResetResponse:
    removed: int


@router.post("", name="create")
def feedback(space: WritableSpace, body: FeedbackBody) -> ListResponse[Feedback]:
    """Says that a recalled message was useful, or not. The setting `weight_feedback` decides how much it counts."""
    return list_response(space.feedback(body.query, body.message, useful=body.useful))


@router.get("", name="list")
def feedback_given(
    space: ReadableSpace,
    limit: Limit = 50,
    query: Annotated[str | None, Query(description="Show what is corrected in a recall of this question.")] = None,
) -> ListResponse[RatedMessage]:
    """Lists the rated messages of the space, the strongest correction first."""
    return list_response(space.feedback_given(limit, query=query))


@router.delete("", name="reset")
def reset_feedback(space: AdminSpace) -> FeedbackResetResponse:
    """Deletes all feedback of the space."""
    return FeedbackResetResponse(space.reset_feedback())
