"""Routes that erase data, verify the erasure, and put a space on hold."""

from __future__ import annotations

from pydantic import BaseModel, Field

from aforesaid.models.erasure import Erasure, Verification
from aforesaid.models.space import Hold
from aforesaid.server.dependencies import Actor, AdminSpace, ReadableSpace, WholeStore
from aforesaid.server.params import Limit, StrictBody
from aforesaid.server.router import ListResponse, api_router, list_response

router = api_router("erasures")
hold_router = api_router("hold", "/hold")


class ForgetBody(StrictBody):
    """Exactly one target to forget."""

    message: str | None = Field(None, description="A message's id.", examples=["m1"])
    conversation: str | None = Field(None, description="A conversation's name.")
    fact: str | None = Field(None, description="A fact's id. The messages that state it stay.")
    items: list[str] | None = Field(None, max_length=100, description="The items of this namespace and below it.")
    key: str | None = Field(None, description="With `items`: only the item with this key.")
    before: str | None = Field(None, description="Everything before this time.")
    everything: bool = Field(False, description="The whole space.")
    same_words: bool = Field(False, description="Also what else states the same words.")
    dry_run: bool = Field(False, description="Reports what it would erase, and erases nothing.", examples=[True])


class VerifyErasureBody(StrictBody):
    """A text that the store must not contain."""

    text: str = Field(examples=["my old address"])
    space: str | None = Field(None, description="Only in this space.", examples=["alice"])


class HoldBody(StrictBody):
    reason: str = Field(description="Why nothing may be erased.", examples=["case 2026-114"])


class HoldResponse(BaseModel):
    hold: Hold | None = Field(description="Null if the space is not on hold.")


class ReleaseResponse(BaseModel):
    released: bool = Field(description="False if there was no hold.")


@router.post("/forget", name="create")
def forget(space: AdminSpace, body: ForgetBody) -> Erasure:
    """Erases the target and everything derived from it, and scrubs the store's files. You cannot undo it."""
    return space.forget(**body.model_dump())


@hold_router.get("", name="get")
def held(space: ReadableSpace) -> HoldResponse:
    """Returns the hold of the space: since when, by whom and why."""
    return HoldResponse(hold=space.held())


@hold_router.put("", name="place")
def hold(space: AdminSpace, by: Actor, body: HoldBody) -> HoldResponse:
    """Puts the space on hold: nothing in it is erased, by request or because it expires, until the hold is released.
    An earlier hold stays unchanged."""
    return HoldResponse(hold=space.hold(body.reason, by=by))


@hold_router.delete("", name="release")
def release_hold(space: AdminSpace, by: Actor) -> ReleaseResponse:
    """Ends the hold. What has expired is erased now."""
    return ReleaseResponse(released=space.release_hold(by=by))


@router.get("/erasures", name="list")
def erasures(space: ReadableSpace, limit: Limit = 50) -> ListResponse[Erasure]:
    """Lists past erasures, newest first: counts and reasons, never content."""
    return list_response(space.erasures(limit))


@router.post("/verify-erasure", name="verify")
def verify_erasure(memory: WholeStore, body: VerifyErasureBody) -> Verification:
    """Searches for a text in all tables, in the full-text indexes and in the bytes of the store's files."""
    return memory.verify_erasure(body.text, space=body.space)
