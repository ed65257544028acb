"""How retrievals went."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from recollect.models import Metrics, Retrieval
from recollect.server.bodies import Since, Until
from recollect.server.page import Limit
from recollect.server.scope import Caller, Readable, Served

router = APIRouter(tags=["metrics"])

All = Annotated[bool, Query(description="Of every space; for whoever has an admin key to all of them.")]


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


@router.get("/retrievals")
def retrievals(
    space: Readable, memory: Served, since: Since = None, until: Until = None, limit: Limit = 100
) -> Retrievals:
    """Each retrieval of the last 30 days as numbers, the newest first: neither questions nor what was found."""
    return Retrievals(items=memory.retrievals(space.id, since=since, until=until, limit=limit))
