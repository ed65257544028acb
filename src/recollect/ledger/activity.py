"""What a store did, period by period: what a chart is drawn from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from recollect.errors import InvalidInput
from recollect.ledger.metrics import measure, percentiles
from recollect.models import Activity, Percentiles, Retrieval
from recollect.ports import Store
from recollect.records import Worked

MOST = 500  # periods
READ = 100_000  # records of a kind, the newest

T = TypeVar("T")


def edges(since: datetime, until: datetime, step: timedelta) -> list[datetime]:
    """Where periods begin, and at the end `until`, which the last one may fall short of a step to reach."""
    if until <= since:
        raise InvalidInput("until must be later than since")
    if not isinstance(step, timedelta):
        raise InvalidInput(f"step must be a timedelta, not {type(step).__name__}")
    if step <= timedelta(0) or (until - since) / step > MOST:
        raise InvalidInput(f"so many steps from since to until are not shown; {MOST} is the most, take a longer step")
    count = -((since - until) // step)
    return [since + step * number for number in range(count)] + [until]


def activity(
    store: Store, space: str | None, at: Sequence[datetime], retrievals: Sequence[Retrieval]
) -> list[Activity]:
    """What happened between each of these moments and the next."""
    span = (space, at[0], at[-1], READ)
    found = _split(at, [one.at for one in retrievals], retrievals)
    embedded = _ended(at, store.jobs.ended("embed", *span))
    summed = _ended(at, store.summaries.ended(*span))
    return [
        Activity(
            start=at[number],
            stop=at[number + 1],
            retrievals=measure(found[number]),
            embedded=len(embedded[number]),
            embedding=_times(embedded[number]),
            summaries=sum(one.well for one in summed[number]),
            failed_summaries=sum(not one.well for one in summed[number]),
            summarising=_times([one for one in summed[number] if one.well]),
            tokens=sum(one.tokens for one in store.costs.totals(space, at[number], at[number + 1])),
        )
        for number in range(len(at) - 1)
    ]


def _ended(at: Sequence[datetime], work: Sequence[Worked]) -> list[list[Worked]]:
    return _split(at, [one.at for one in work], work)


def _split(at: Sequence[datetime], moments: Sequence[datetime], values: Sequence[T]) -> list[list[T]]:
    """The values of each period; those outside of all are left out."""
    made: list[list[T]] = [[] for _ in at[:-1]]
    for moment, value in zip(moments, values, strict=True):
        if at[0] <= moment < at[-1]:
            made[bisect_right(at, moment) - 1].append(value)
    return made


def _times(work: Sequence[Worked]) -> Percentiles | None:
    taken = sorted(one.milliseconds for one in work if one.milliseconds is not None)
    return percentiles(taken) if taken else None
