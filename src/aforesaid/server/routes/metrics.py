"""Routes for retrieval metrics, activity over time, and the cost of language models."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from fastapi import Query

from aforesaid.models.cost import CostTotal, TokenAllowance
from aforesaid.models.retrieval import Activity, Metrics, Retrieval
from aforesaid.server.dependencies import MeasuredSpace, ReadableSpace, ServedStore, WholeStore
from aforesaid.server.params import Limit, Since, Until
from aforesaid.server.router import ListResponse, api_router, list_response

router = api_router("metrics")
cost_router = api_router("costs", "/cost")

Step = Annotated[
    float | None,
    Query(ge=-(10**9), le=10**9, description="Seconds per period. Default: the time divided into 48 periods."),
]


@router.get("/metrics", name="get")
def metrics(memory: ServedStore, space: MeasuredSpace, since: Since = None, until: Until = None) -> Metrics:
    """Returns hit rate, top score, content types, budget use, and the p50, p95 and p99 of each stage's duration."""
    return memory.metrics(space, since=since, until=until)


@router.get("/activity")
def activity(
    memory: ServedStore, space: MeasuredSpace, since: Since = None, until: Until = None, step: Step = None
) -> ListResponse[Activity]:
    """Lists retrievals, embedding, summaries and tokens by period, for charts. Default: the last day."""
    length = None if step is None else timedelta(seconds=step)
    return list_response(memory.activity(space, since=since, until=until, step=length))


@router.get("/retrievals")
def retrievals(
    memory: ServedStore, space: MeasuredSpace, since: Since = None, until: Until = None, limit: Limit = 100
) -> ListResponse[Retrieval]:
    """Lists the retrievals of the last 30 days as numbers, newest first. Contains neither questions nor results."""
    return list_response(memory.retrievals(space, since=since, until=until, limit=limit))


@cost_router.get("", name="list")
def cost(
    space: ReadableSpace, memory: ServedStore, since: Since = None, until: Until = None
) -> ListResponse[CostTotal]:
    """Lists the calls and tokens of this space, by model and operation."""
    return list_response(memory.costs(space.id, since=since, until=until))


@cost_router.get("/total", name="total")
def total_cost(memory: WholeStore, since: Since = None, until: Until = None) -> ListResponse[CostTotal]:
    """Lists the calls and tokens of the whole store, also those of deleted spaces."""
    return list_response(memory.costs(since=since, until=until))


@cost_router.get("/allowance")
def allowance(memory: WholeStore) -> TokenAllowance:
    """Returns the tokens used today (UTC), and what is left of the daily cap."""
    return memory.allowance()
