"""What language models took."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request

from recollect.memory import Memory
from recollect.models import Allowance, Spent
from recollect.server.listed import Listed, listed
from recollect.server.noun import noun
from recollect.server.scope import Readable, Whole

router = noun("cost", "/cost")

Since = Annotated[str | None, Query(description="From this moment on, or this day (UTC).")]
Until = Annotated[str | None, Query(description="Before this moment.")]


@router.get("")
def cost(request: Request, space: Readable, since: Since = None, until: Until = None) -> Listed[Spent]:
    """Calls and tokens for this space, by model and operation."""
    memory: Memory = request.app.state.memory
    return listed(memory.costs(space.id, since=since, until=until))


@router.get("/total")
def total_cost(memory: Whole, since: Since = None, until: Until = None) -> Listed[Spent]:
    """Calls and tokens for the whole store; what deleted spaces took counts too."""
    return listed(memory.costs(since=since, until=until))


@router.get("/allowance")
def allowance(memory: Whole) -> Allowance:
    """Tokens of today (UTC), and what is left of the cap."""
    return memory.allowance()
