"""Request parameters and body base classes that several routes share, and the decoding of names in paths.

A server decodes `%2F` before it matches a route, so `a%2Fb` would become two segments. `PathDecodingMiddleware`
keeps encoded slashes and percent signs; each name is decoded fully when it is read.
"""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import unquote, unquote_to_bytes

from fastapi import Path, Query
from pydantic import AfterValidator, AliasChoices, BaseModel, ConfigDict, Field
from starlette.types import ASGIApp, Receive, Scope, Send

MAX_NAME_LENGTH = 1024
MAX_LIMIT = 1000
EXPIRES = "When it disappears: a time, a day, a duration such as `30d`, or `never`. Default: the space's settings."
MAX_SEQ = 2**53
ENCODED_SEPARATOR = re.compile(rb"(%2[fF]|%25)")

PercentDecoded = AfterValidator(unquote)
ConversationName = Annotated[str, Path(description="The conversation's name, percent-encoded."), PercentDecoded]
Id = Annotated[str, Path(description="The record's id, percent-encoded."), PercentDecoded]
Masked = Annotated[bool, Query(description="Masks secrets.")]
Limit = Annotated[int, Query(ge=1, le=MAX_LIMIT, description="The maximum number of items.")]
After = Annotated[str | None, Query(max_length=MAX_NAME_LENGTH, description="`next` of the previous page.")]
ConversationFilter = Annotated[
    str | None, Query(max_length=MAX_NAME_LENGTH, description="Only this conversation. Default: the whole space.")
]
Since = Annotated[
    str | None, Query(max_length=64, description="From this time (`2026-03-01T09:30:00Z`) or day in UTC on.")
]
Until = Annotated[str | None, Query(max_length=64, description="Before this time.")]

ShortText = Annotated[str, Field(max_length=MAX_NAME_LENGTH)]
Moment = Annotated[str, Field(max_length=64, examples=["2026-03-01", "2026-03-01T09:30:00+01:00"])]
UnitInterval = Annotated[float, Field(ge=0, le=1)]
Seq = Annotated[int, Field(ge=0, le=MAX_SEQ)]


class StrictBody(BaseModel):
    """Rejects unknown fields, so that a misspelt field is never ignored."""

    model_config = ConfigDict(extra="forbid")


class InConversationBody(StrictBody):
    """A body that names its conversation. Routes with the conversation in the path have no such field."""

    conversation: str = Field(
        validation_alias=AliasChoices("conversation", "conversation_id", "conversationId", "session_id", "sessionId"),
        max_length=MAX_NAME_LENGTH,
        description="The conversation's name. Also accepted as `conversationId` or `session_id`.",
        examples=["trip"],
    )


class PathDecodingMiddleware:
    """Keeps an encoded slash inside its path segment."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope.get("raw_path"):
            scope = {**scope, "path": decode_path(scope["raw_path"])}
        await self._app(scope, receive, send)


def decode_path(raw: bytes) -> str:
    pieces = ENCODED_SEPARATOR.split(raw.partition(b"?")[0])
    decoded = b"".join(piece if ENCODED_SEPARATOR.fullmatch(piece) else unquote_to_bytes(piece) for piece in pieces)
    return decoded.decode("utf-8", "surrogateescape")  # the checks of names reject what is not UTF-8
