"""How facts bear on each other."""

from __future__ import annotations

from typing import Annotated

from fastapi import Body, Query
from pydantic import BaseModel, ConfigDict, Field

from recollect.models import Relation, RelationKind
from recollect.server.listed import Listed, listed
from recollect.server.noun import noun
from recollect.server.page import Limit
from recollect.server.scope import Readable, Writable

router = noun("relations", "/relations")

FactId = Annotated[str, Query(max_length=1024, description="A fact's id.")]


class Link(BaseModel):
    """`source` `kind` `target`, as in "new supersedes old"."""

    model_config = ConfigDict(extra="forbid")

    source: str = Field(max_length=1024, examples=["0198-new"])
    kind: RelationKind = Field(examples=["depends_on"])
    target: str = Field(max_length=1024, examples=["0198-old"])
    strength: float = Field(1.0, ge=0, le=1)


class Unlinked(BaseModel):
    removed: bool = Field(description="False where there was no such link.")


@router.get("")
def relations(space: Readable, fact: FactId | None = None, limit: Limit = 50) -> Listed[Relation]:
    """Links, the newest first: of one fact, in either direction, or of all."""
    return listed(space.relations(fact, limit))


@router.post("", status_code=201)
def relate(space: Writable, body: Annotated[Link, Body()]) -> Relation:
    """Links two facts. One that supersedes another ends it, too."""
    return space.relate(body.source, body.kind, body.target, body.strength)


@router.delete("")
def unrelate(space: Writable, source: FactId, kind: Annotated[RelationKind, Query()], target: FactId) -> Unlinked:
    """Removes a link. That one superseded another is taken back with `undo`."""
    return Unlinked(removed=space.unrelate(source, kind, target))
