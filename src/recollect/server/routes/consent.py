"""Whether a profile may be kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import Body
from pydantic import BaseModel, ConfigDict, Field

from recollect.models import Consent, Revocation
from recollect.server.actor import Actor
from recollect.server.noun import noun
from recollect.server.scope import Governed, Readable

router = noun("profile", "/consent")


class Decision(BaseModel):
    model_config = ConfigDict(extra="forbid")

    granted: bool = Field(examples=[True])
    note: str | None = Field(None, description="With a grant: how it was given.", examples=["asked in the app"])


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether it was granted, since when, and who said so. `revocation` is what revoking it has just erased."""

    space: str
    granted: bool
    at: datetime | None
    by: str | None
    note: str | None
    revocation: Revocation | None = None


@router.get("")
def consent(space: Readable) -> Answer:
    """Whether a profile may be kept here, since when, and who said so."""
    return _answer(space.consent(), None)


@router.put("")
def set_consent(space: Governed, by: Actor, body: Annotated[Decision, Body()]) -> Answer:
    """Grants consent, or revokes it: then the profile, its history and what was derived from it are erased."""
    if body.granted:
        return _answer(space.grant_consent(by=by, note=body.note), None)
    revoked = space.revoke_consent(by=by)
    return _answer(space.consent(), revoked)


def _answer(consent: Consent, revoked: Revocation | None) -> Answer:
    return Answer(consent.space, consent.granted, consent.at, consent.by, consent.note, revoked)
