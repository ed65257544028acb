"""Routes for the profile, the consent to keep one, and the audit of its use."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, Field

from aforesaid.models.about import About
from aforesaid.models.message import Message
from aforesaid.models.profile import AuditAction, AuditEntry, Profile, Revocation
from aforesaid.server.dependencies import Actor, AdminSpace, Caller, ReadableSpace, WritableSpace
from aforesaid.server.params import After, Limit, ShortText, Since, StrictBody
from aforesaid.server.router import Page, api_router, paginate
from aforesaid.space import Space

MAX_PORTRAIT = 100_000
router = api_router("profile", "/profile")
consent_router = api_router("consent", "/consent")
audit_router = api_router("audit", "/audit")
about_router = api_router("about", "/about")

PortraitTokens = Annotated[int, Query(ge=1, le=MAX_PORTRAIT, description="The most tokens.")]
ProfileTime = Annotated[str | None, Query(description="A time, or a day in UTC as 2026-03-01.")]


class MessageReference(StrictBody):
    """The message that states it."""

    conversation: str
    message: str


class ProfileBody(StrictBody):
    """The changes to the profile. Omitted fields keep their values."""

    fields: dict[str, str | int | float | bool] | None = Field(None, examples=[{"city": "Lisbon", "vegetarian": True}])
    text: str | None = Field(None, description="The free text. An empty text removes it.", examples=["Prefers trains."])
    source: MessageReference | ShortText | None = Field(None, description="A message, or its id.")
    since: str | None = Field(None, description="True from this time on. Default: now.", examples=["2026-03-01"])
    expires: str | None = Field(None, description="True until this time.")


class ProfileRemovalQuery(BaseModel):
    """The parts of the profile to remove."""

    field: list[ShortText] = Field([], max_length=1000, description="A field's name.")
    text: bool = Field(False, description="Also remove the free text.")
    erase: bool = Field(False, description="Also erase their history. Needs an admin key.")


class ConsentBody(StrictBody):
    granted: bool = Field(examples=[True])
    note: str | None = Field(None, description="How consent was given.", examples=["asked in the app"])


class ConsentResponse(BaseModel):
    """The state of consent, since when, and who set it. `revocation` reports what a revocation has just erased."""

    space: str
    granted: bool
    at: datetime | None
    by: str | None
    note: str | None
    revocation: Revocation | None = None


@router.get("", name="get")
def profile(space: ReadableSpace, by: Actor, as_of: ProfileTime = None, known_at: ProfileTime = None) -> Profile:
    """Returns the current profile, or what was true at `as_of` as it was known at `known_at`. Empty without consent."""
    return space.profile(as_of=as_of, known_at=known_at, by=by)


@about_router.get("", name="get")
def about(space: ReadableSpace, by: Actor, tokens: PortraitTokens = 600) -> About:
    """Returns the portrait of the space: the profile (with consent), active facts, and the sentences of people that are
    most likely to be asked for later, each with its source. `text` is for a system prompt."""
    return space.about(tokens, by=by)


def _referenced(space: Space, reference: MessageReference) -> Message:
    return space.conversation(reference.conversation).message(reference.message)


@router.put("", name="update")
def set_profile(space: WritableSpace, by: Actor, body: ProfileBody) -> Profile:
    """Sets fields and the free text. 403 without consent."""
    reference = body.source
    source = _referenced(space, reference) if isinstance(reference, MessageReference) else reference
    return space.set_profile(body.fields, text=body.text, source=source, since=body.since, expires=body.expires, by=by)


@router.delete("", name="delete")
def remove_profile(
    space: WritableSpace, by: Actor, caller: Caller, what: Annotated[ProfileRemovalQuery, Query()]
) -> Profile:
    """Removes fields from now on. With `erase`, also their history."""
    if what.erase:
        caller.need("admin")
    return space.remove_profile(*what.field, text=what.text, erase=what.erase, by=by)


@consent_router.get("", name="get")
def consent(space: ReadableSpace) -> ConsentResponse:
    """Returns whether the space may have a profile, since when, and who decided."""
    return ConsentResponse.model_validate(space.consent(), from_attributes=True)


@consent_router.put("", name="update")
def set_consent(space: AdminSpace, by: Actor, body: ConsentBody) -> ConsentResponse:
    """Grants or revokes consent. Revoking erases the profile, its history and everything derived from it."""
    revocation = None
    if body.granted:
        space.grant_consent(by=by, note=body.note)
    else:
        revocation = space.revoke_consent(by=by)
    return consent(space).model_copy(update={"revocation": revocation})


@audit_router.get("", name="list")
def audit(
    space: AdminSpace,
    limit: Limit = 100,
    after: After = None,
    since: Since = None,
    action: Annotated[AuditAction | None, Query()] = None,
) -> Page[AuditEntry]:
    """Lists who granted, revoked, read and changed the profile, newest first. Contains field names, never values."""
    return paginate(space.audit(limit + 1, after=after, since=since, action=action), limit, lambda entry: entry.id)
