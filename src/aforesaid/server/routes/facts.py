"""Routes for facts, the relations between them, and consolidations."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import Query, Response
from pydantic import BaseModel, Field

from aforesaid.models.consolidation import Consolidation
from aforesaid.models.fact import Fact, FactKind, FactStatus, Relation, RelationKind
from aforesaid.server.dependencies import ReadableSpace, WritableSpace
from aforesaid.server.params import (
    EXPIRES,
    MAX_LIMIT,
    MAX_NAME_LENGTH,
    MAX_SEQ,
    Id,
    Limit,
    ShortText,
    StrictBody,
    UnitInterval,
)
from aforesaid.server.router import PREFIX, ListResponse, Page, api_router, list_response, paginate

router = api_router("facts")
relations_router = api_router("relations", "/relations")
consolidations_router = api_router("consolidations", "/consolidations")

FactId = Annotated[str, Query(max_length=MAX_NAME_LENGTH, description="A fact's id.")]


class FactListQuery(BaseModel):
    """Filters and paging."""

    limit: int = Field(50, ge=1, le=MAX_LIMIT, description="The maximum number of items.")
    after: ShortText | None = Field(None, description="`next` of the previous page.")
    status: FactStatus | Literal["any"] = Field("active", description="`any`: facts of every status.")
    kind: FactKind | None = None
    category: ShortText | None = None
    tag: ShortText | None = None
    subject: ShortText | None = None
    conversation: ShortText | None = Field(None, description="Facts that were said in this conversation.")
    record_schema: ShortText | None = Field(None, alias="schema", description="Records of this schema only.")
    as_of: str | None = Field(None, description="Facts that were true at this time, or at the end of this day in UTC.")
    known_at: str | None = Field(None, description="Facts that were held true at this time, whatever their status now.")


class FactDetailsBody(StrictBody):
    kind: FactKind = "fact"
    importance: UnitInterval | None = None
    category: ShortText | None = None
    tags: list[ShortText] = Field([], max_length=1000, examples=[["travel"]])
    subject: ShortText | None = Field(None, examples=["user"])
    attribute: ShortText | None = Field(None, examples=["home"])
    value: ShortText | None = Field(None, examples=["Lisbon"])
    valid_from: str | None = Field(None, description="True from this time on.", examples=["2026-03-01T09:30:00Z"])
    valid_until: str | None = Field(None, description="True until this time.")
    expires: str | None = Field(None, description=EXPIRES, examples=["30d"])


class FactBody(FactDetailsBody):
    """A new fact."""

    text: str = Field(examples=["Lives in Lisbon"])
    source: ShortText | None = Field(None, description="The id of the message that states it.")


class FactEditBody(FactDetailsBody):
    """The changes to a fact. Omitted fields keep their values; `"attribute": null` makes a fact without a slot."""

    text: str | None = Field(None, examples=["Lives in Porto"])


class ReasonBody(StrictBody):
    """Why a fact is archived or rejected."""

    reason: str | None = Field(None, description="Kept with the fact.", examples=["She changed jobs"])


class RelationBody(StrictBody):
    """`source` `kind` `target`, as in "new supersedes old"."""

    source: ShortText = Field(examples=["0198-new"])
    kind: RelationKind = Field(examples=["depends_on"])
    target: ShortText = Field(examples=["0198-old"])
    strength: UnitInterval = 1.0


class DeleteRelationResponse(BaseModel):
    removed: bool = Field(description="False if there was no such relation.")


class ConsolidateBody(StrictBody):
    days: int = Field(30, ge=0, le=MAX_SEQ, description="Archives weak facts that were not used for this many days.")
    dry_run: bool = Field(False, description="Reports what it would do, and changes nothing.", examples=[True])


@router.get("/facts", name="list")
def list_facts(space: ReadableSpace, sought: Annotated[FactListQuery, Query()]) -> Page[Fact]:
    """Lists facts in the order in which they were added. By default those that are active and still valid."""
    filters = sought.model_dump(exclude={"limit", "status"}, by_alias=True)
    status = None if sought.status == "any" else sought.status
    return paginate(space.facts(sought.limit + 1, status=status, **filters), sought.limit, lambda fact: fact.id)


@router.post("/facts", status_code=201, name="create")
def remember(space: WritableSpace, body: FactBody, response: Response) -> Fact:
    """Adds an active fact. With an `attribute`, it supersedes the attribute's previous value."""
    details = body.model_dump(exclude_unset=True, exclude={"text", "source"})
    fact = space.remember(body.text, source=body.source, **details)
    response.headers["Location"] = f"{PREFIX}/facts/{quote(fact.id, safe='')}"
    return fact


@router.get("/review")
def review(space: ReadableSpace, limit: Limit = 50) -> ListResponse[Fact]:
    """Lists facts that need a decision: pending and contradicting facts, newest first."""
    return list_response(space.review(limit))


@router.get("/facts/{id}", name="get")
def fact(space: ReadableSpace, id: Id) -> Fact:
    """Returns one fact with its evidence."""
    return space.fact(id)


@router.patch("/facts/{id}", name="update")
def edit_fact(space: WritableSpace, id: Id, body: FactEditBody) -> Fact:
    """Changes a fact. A change of text, slot or validity creates a new version; the history keeps the old one.

    If only the text or only the value of an attribute is given, the other follows; if it cannot, the answer is 422."""
    return space.edit_fact(id, body.text, **body.model_dump(exclude_unset=True, exclude={"text"}))


@router.post("/facts/{id}/promote")
def promote(space: WritableSpace, id: Id) -> Fact:
    """Confirms a fact: it becomes active and supersedes facts that it excludes."""
    return space.promote(id)


@router.post("/facts/{id}/reject")
def reject(space: WritableSpace, id: Id, body: ReasonBody | None = None) -> Fact:
    """Marks a fact as wrong, so that it is not proposed again. Facts that it superseded become valid again."""
    return space.reject(id, reason=body.reason if body else None)


@router.post("/facts/{id}/archive")
def archive(space: WritableSpace, id: Id, body: ReasonBody | None = None) -> Fact:
    """Says that a fact is no longer true, or not wanted: it is not recalled, but stays in the history."""
    return space.archive(id, reason=body.reason if body else None)


@router.post("/facts/{id}/undo")
def undo(space: WritableSpace, id: Id) -> Fact:
    """Takes back that a fact was archived or rejected; else undoes a supersession, by the id of either fact."""
    return space.undo(id)


@relations_router.get("", name="list")
def relations(space: ReadableSpace, fact: FactId | None = None, limit: Limit = 50) -> ListResponse[Relation]:
    """Lists relations, newest first: of one fact in both directions, or of all facts."""
    return list_response(space.relations(fact, limit))


@relations_router.post("", status_code=201, name="create")
def relate(space: WritableSpace, body: RelationBody) -> Relation:
    """Relates two facts. A fact that supersedes another also ends it."""
    return space.relate(body.source, body.kind, body.target, body.strength)


@relations_router.delete("", name="delete")
def unrelate(
    space: WritableSpace, source: FactId, kind: Annotated[RelationKind, Query()], target: FactId
) -> DeleteRelationResponse:
    """Removes a relation. To undo a supersession, use `undo`."""
    return DeleteRelationResponse(removed=space.unrelate(source, kind, target))


@consolidations_router.get("", name="list")
def consolidations(space: ReadableSpace, limit: Limit = 50) -> ListResponse[Consolidation]:
    """Lists past consolidations, newest first."""
    return list_response(space.consolidations(limit))


@consolidations_router.post("", name="create")
def consolidate(space: WritableSpace, body: ConsolidateBody) -> Consolidation:
    """Archives weak facts that are not used, and merges duplicates. Deletes nothing."""
    return space.consolidate(days=body.days, dry_run=body.dry_run)


@consolidations_router.post("/undo", name="undo")
def undo_consolidation(space: WritableSpace) -> Consolidation:
    """Undoes the last consolidation, except for facts that were changed since."""
    return space.undo_consolidation()
