"""What is known: listed, remembered, decided."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import Body, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from recollect.models import Fact, FactKind, FactStatus
from recollect.server.listed import Listed, listed
from recollect.server.noun import noun
from recollect.server.page import MOST, Limit, Page, page
from recollect.server.paths import Id
from recollect.server.scope import Readable, Writable

router = noun("facts")

Word = Annotated[str, Field(max_length=1024)]


class Sought(BaseModel):
    """Which facts, and which part of the list."""

    limit: int = Field(50, ge=1, le=MOST, description="How many at most.")
    after: Word | None = Field(None, description="`next` of the page before.")
    status: FactStatus | Literal["any"] = Field("active", description="`any`: whatever became of them.")
    kind: FactKind | None = None
    category: Word | None = None
    tag: Word | None = None
    subject: Word | None = None
    as_of: str | None = Field(None, description="What was true at a moment, or at the end of a day in UTC.")
    known_at: str | None = Field(None, description="What was held true at a moment, whatever became of it since.")


class Said(BaseModel):
    """What may be said of a fact besides its words."""

    model_config = ConfigDict(extra="forbid")

    kind: FactKind = "fact"
    importance: float | None = Field(None, ge=0, le=1)
    category: Word | None = None
    tags: list[Word] = Field([], max_length=1000, examples=[["travel"]])
    subject: Word | None = Field(None, examples=["user"])
    attribute: Word | None = Field(None, examples=["home"])
    value: Word | None = Field(None, examples=["Lisbon"])
    valid_from: str | None = Field(None, description="True from then on.", examples=["2026-03-01T09:30:00Z"])
    valid_until: str | None = Field(None, description="True until then.")


class Remembered(Said):
    """A fact to keep."""

    text: str = Field(examples=["Lives in Lisbon"])
    source: Word | None = Field(None, description="The id of a message that it comes from.")


class Edited(Said):
    """What shall be otherwise; what is not named stays."""

    text: str | None = Field(None, examples=["Lives in Porto"])


@router.get("/facts")
def list_facts(space: Readable, sought: Annotated[Sought, Query()]) -> Page[Fact]:
    """Facts in the order they were noted: those that are active and not over, unless another status is asked for."""
    found = space.facts(
        sought.limit + 1,
        after=sought.after,
        status=None if sought.status == "any" else sought.status,
        kind=sought.kind,
        category=sought.category,
        tag=sought.tag,
        subject=sought.subject,
        as_of=sought.as_of,
        known_at=sought.known_at,
    )
    return page(found, sought.limit, lambda one: one.id)


@router.post("/facts", status_code=201)
def remember(space: Writable, body: Annotated[Remembered, Body()], response: Response) -> Fact:
    """Keeps a fact, active at once. With an `attribute` it takes the place of what that was before."""
    details = body.model_dump(exclude_unset=True, exclude={"text", "source"})
    fact = space.remember(body.text, source=body.source, **details)
    response.headers["Location"] = f"/api/memory/facts/{quote(fact.id, safe='')}"
    return fact


@router.get("/review")
def review(space: Readable, limit: Limit = 50) -> Listed[Fact]:
    """What waits for a decision: pending facts, and those that contradict each other; the newest first."""
    return listed(space.review(limit))


@router.get("/facts/{id}")
def fact(space: Readable, id: Id) -> Fact:
    """One fact, with the words that say it."""
    return space.fact(id)


@router.patch("/facts/{id}")
def edit_fact(space: Writable, id: Id, body: Annotated[Edited, Body()]) -> Fact:
    """Changes what is given. Other words, slots or times make a new version; the old one stays in the history."""
    return space.edit_fact(id, body.text, **body.model_dump(exclude_unset=True, exclude={"text"}))


@router.post("/facts/{id}/promote")
def promote(space: Writable, id: Id) -> Fact:
    """The fact is true: active from now on, in place of what it excludes."""
    return space.promote(id)


@router.post("/facts/{id}/reject")
def reject(space: Writable, id: Id) -> Fact:
    """The fact is wrong, and is not proposed again. What it had superseded is valid again."""
    return space.reject(id)


@router.post("/facts/{id}/archive")
def archive(space: Writable, id: Id) -> Fact:
    """Puts a fact away: out of sight, not out of the history. `promote` brings it back."""
    return space.archive(id)


@router.post("/facts/{id}/undo")
def undo(space: Writable, id: Id) -> Fact:
    """Takes back that a fact ended another, by either's id."""
    return space.undo(id)
