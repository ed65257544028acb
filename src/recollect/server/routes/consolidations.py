"""Weak and old memories put away, what says the same merged."""

from __future__ import annotations

from typing import Annotated

from fastapi import Body
from pydantic import BaseModel, ConfigDict, Field

from recollect.models import Consolidation
from recollect.server.listed import Listed, listed
from recollect.server.noun import noun
from recollect.server.page import Limit
from recollect.server.scope import Readable, Writable

router = noun("consolidations", "/consolidations")


class Wish(BaseModel):
    model_config = ConfigDict(extra="forbid")

    days: int = Field(30, ge=0, le=100_000, description="Not asked for in so many days.")
    dry_run: bool = Field(False, description="Only say what would be done.", examples=[True])


@router.get("")
def consolidations(space: Readable, limit: Limit = 50) -> Listed[Consolidation]:
    """What consolidations did, the newest first."""
    return listed(space.consolidations(limit))


@router.post("")
def consolidate(space: Writable, body: Annotated[Wish, Body()]) -> Consolidation:
    """Archives what is weak and was not asked for, and merges what says the same. Nothing is deleted."""
    return space.consolidate(days=body.days, dry_run=body.dry_run)


@router.post("/undo")
def undo_consolidation(space: Writable) -> Consolidation:
    """Takes the last consolidation back, but for what was decided about since."""
    return space.undo_consolidation()
