"""What is known of the person, with their consent."""

from __future__ import annotations

from typing import Annotated

from fastapi import Body, Query
from pydantic import BaseModel, ConfigDict, Field

from recollect.models import Profile
from recollect.server.actor import Actor
from recollect.server.noun import noun
from recollect.server.scope import Caller, Readable, Writable

router = noun("profile", "/profile")

Moment = Annotated[str | None, Query(description="A moment, or a day in UTC as 2026-03-01.")]


class Source(BaseModel):
    """The message that says so."""

    model_config = ConfigDict(extra="forbid")

    conversation: str
    message: str


class Wish(BaseModel):
    """What shall be in the profile; what is not named stays."""

    model_config = ConfigDict(extra="forbid")

    fields: dict[str, str | int | float | bool] | None = Field(None, examples=[{"city": "Lisbon", "vegetarian": True}])
    text: str | None = Field(None, description="The free text; empty takes it away.", examples=["Prefers trains."])
    source: Source | None = Field(None)
    since: str | None = Field(None, description="True from then on; now.", examples=["2026-03-01"])
    expires: str | None = Field(None, description="True until then.")


class Removal(BaseModel):
    """What shall leave the profile."""

    field: list[Annotated[str, Field(max_length=1024)]] = Field([], max_length=1000, description="A field's name.")
    text: bool = Field(False, description="The free text too.")
    erase: bool = Field(False, description="With all that they ever were; takes an admin key.")


@router.get("")
def profile(space: Readable, by: Actor, as_of: Moment = None, known_at: Moment = None) -> Profile:
    """What is known now; what was true `as_of` a moment, as it was `known_at` another. Empty without consent."""
    return space.profile(as_of=as_of, known_at=known_at, by=by)


@router.put("")
def set_profile(space: Writable, by: Actor, body: Annotated[Wish, Body()]) -> Profile:
    """Sets fields, and a free text. 403 without consent."""
    said = body.source
    source = None if said is None else space.conversation(said.conversation).message(said.message)
    return space.set_profile(body.fields, text=body.text, source=source, since=body.since, expires=body.expires, by=by)


@router.delete("")
def remove_profile(space: Writable, by: Actor, caller: Caller, what: Annotated[Removal, Query()]) -> Profile:
    """Takes fields away from now on; with `erase`, their history too."""
    if what.erase:
        caller.need("admin")
    return space.remove_profile(*what.field, text=what.text, erase=what.erase, by=by)
