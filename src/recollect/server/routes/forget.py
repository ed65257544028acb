"""What is forgotten, and the proof of it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Body
from pydantic import BaseModel, ConfigDict, Field

from recollect.models import Erasure, Verification
from recollect.server.listed import Listed, listed
from recollect.server.noun import noun
from recollect.server.page import Limit
from recollect.server.scope import Governed, Readable, Whole

router = noun("forget")


class Wish(BaseModel):
    """Exactly one thing to forget."""

    model_config = ConfigDict(extra="forbid")

    message: str | None = Field(None, description="A message's id.", examples=["m1"])
    conversation: str | None = Field(None, description="A conversation's name.")
    fact: str | None = Field(None, description="A fact's id; the words it came from stay.")
    before: str | None = Field(None, description="All messages from before a moment.")
    everything: bool = Field(False, description="All that the space holds.")
    dry_run: bool = Field(False, description="Only say what would go.", examples=[True])


class Sought(BaseModel):
    """A text that must be nowhere any more."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(min_length=1, examples=["my old address"])
    space: str | None = Field(None, description="Only what this space has of it.", examples=["alice"])


@router.post("/forget")
def forget(space: Governed, body: Annotated[Wish, Body()]) -> Erasure:
    """Erases one thing and everything that came from it, and scrubs the store's files. There is no way back."""
    return space.forget(**body.model_dump())


@router.get("/erasures")
def erasures(space: Readable, limit: Limit = 50) -> Listed[Erasure]:
    """What was forgotten here, the newest first: how much and why, never what."""
    return listed(space.erasures(limit))


@router.post("/verify-erasure")
def verify_erasure(memory: Whole, body: Annotated[Sought, Body()]) -> Verification:
    """Looks for a text in every table, in the full-text indexes and in the bytes of every file of the store."""
    return memory.verify_erasure(body.text, space=body.space)
