"""Routes that erase data and verify the erasure."""

from __future__ import annotations

from pydantic import Field

from aforesaid.models.erasure import Erasure, Verification
from aforesaid.server.dependencies import AdminSpace, ReadableSpace, WholeStore
from aforesaid.server.params import Limit, StrictBody
from aforesaid.server.router import ListResponse, api_router, list_response

router = api_router("forget")


class ForgetBody(StrictBody):
    """Exactly one target to forget."""

    message: str | None = Field(None, description="A message's id.", examples=["m1"])
    conversation: str | None = Field(None, description="A conversation's name.")
    fact: str | None = Field(None, description="A fact's id. The messages that state it stay.")
    before: str | None = Field(None, description="All messages before this time.")
    everything: bool = Field(False, description="The whole space.")
    dry_run: bool = Field(False, description="Reports what it would erase, and erases nothing.", examples=[True])


class VerifyErasureBody(StrictBody):
    """A text that the store must not contain."""

    text: str = Field(min_length=1, examples=["my old address"])
    space: str | None = Field(None, description="Only in this space.", examples=["alice"])


@router.post("/forget")
def forget(space: AdminSpace, body: ForgetBody) -> Erasure:
    """Erases the target and everything derived from it, and scrubs the store's files. You cannot undo it."""
    return space.forget(**body.model_dump())


@router.get("/erasures")
def erasures(space: ReadableSpace, limit: Limit = 50) -> ListResponse[Erasure]:
    """Lists past erasures, newest first: counts and reasons, never content."""
    return list_response(space.erasures(limit))


@router.post("/verify-erasure")
def verify_erasure(memory: WholeStore, body: VerifyErasureBody) -> Verification:
    """Searches for a text in all tables, in the full-text indexes and in the bytes of the store's files."""
    return memory.verify_erasure(body.text, space=body.space)
