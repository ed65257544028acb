"""How retrievals went."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from fastapi import Query
from pydantic import BaseModel

from recollect.models import Activity, Metrics, Retrieval
from recollect.server.given import Since, Until
from recollect.server.noun import noun
from recollect.server.page import Limit
from recollect.server.scope import Caller, Readable, Served

router = noun("metrics")

All = Annotated[bool, Query(description="Of every space; for whoever has an admin key to all of them.")]


Step = Annotated[
    float | None, Query(gt=0, le=10**9, description="Seconds of a period; 48 periods, if it does not say.")
]


class Periods(BaseModel):
    items: list[Activity]


class Retrievals(BaseModel):
    items: list[Retrieval]


@router.get("/metrics")
def metrics(
    space: Readable, caller: Caller, memory: Served, *, since: Since = None, until: Until = None, all: All = False
) -> Metrics:
    """Hit rate, top score, content types, budget use, and milliseconds by stage as p50, p95 and p99."""
    if all:
        caller.need_all()
    return memory.metrics(None if all else space.id, since=since, until=until)


@router.get("/activity")
def activity(
    space: Readable,
    caller: Caller,
    memory: Served,
    *,
    since: Since = None,
    until: Until = None,
    step: Step = None,
    all: All = False,
) -> Periods:
    """Retrievals, embedding, summaries and tokens period by period, for charts: of the last day, if it does not say."""
    if all:
        caller.need_all()
    length = None if step is None else timedelta(seconds=step)
    return Periods(items=memory.activity(None if all else space.id, since=since, until=until, step=length))


@router.get("/retrievals")
def retrievals(
    space: Readable, memory: Served, since: Since = None, until: Until = None, limit: Limit = 100
) -> Retrievals:
    """Each retrieval of the last 30 days as numbers, the newest first: neither questions nor what was found."""
    return Retrievals(items=memory.retrievals(space.id, since=since, until=until, limit=limit))
