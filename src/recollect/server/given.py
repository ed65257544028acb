"""What bodies and queries have in common."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import AliasChoices, BaseModel, ConfigDict, Field

LONGEST_NAME = 1024

Moment = Annotated[str, Field(max_length=64, examples=["2026-03-01", "2026-03-01T09:30:00+01:00"])]
Since = Annotated[
    str | None, Query(max_length=64, description="From this moment on, as `2026-03-01T09:30:00Z`, or this day.")
]
Until = Annotated[str | None, Query(max_length=64, description="Before this moment.")]
Share = Annotated[float, Field(ge=0, le=1)]


class Body(BaseModel):
    """Refuses names that it does not know, so that a misspelt one is not lost."""

    model_config = ConfigDict(extra="forbid")


class Placed(Body):
    """Names its conversation in the body: what says so in the path has no such field."""

    conversation: str = Field(
        validation_alias=AliasChoices("conversation", "conversation_id", "conversationId", "session_id", "sessionId"),
        max_length=LONGEST_NAME,
        description="The conversation's name; also as `conversationId` or `session_id`.",
        examples=["trip"],
    )
