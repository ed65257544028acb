"""Metrics of retrievals: means, percentiles and shares, in total and per period."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil
from statistics import fmean
from typing import TypeVar

from aforesaid.errors import InvalidInput
from aforesaid.models.job import JobResult
from aforesaid.models.retrieval import Activity, Metrics, Percentiles, Retrieval
from aforesaid.storage.store import Store


def measure(retrievals: Sequence[Retrieval]) -> Metrics:
    """Shares, means and percentiles. A retrieval without a number is left out of its mean."""
    return Metrics(
        count=len(retrievals),
        hit_rate=_mean(float(each.hits > 0) for each in retrievals),
        top_score=_mean(each.top_scores[0] for each in retrievals if each.top_scores),
        budget_use=_mean(each.tokens / each.budget for each in retrievals if each.tokens is not None and each.budget),
        prefix_share=_mean(
            each.prefix_tokens / each.tokens for each in retrievals if each.prefix_tokens is not None and each.tokens
        ),
        degraded=sum(bool(each.degraded) for each in retrievals),
        sources=_sums(each.sources for each in retrievals),
        content=_sums(each.content for each in retrievals),
        milliseconds=_stages(each.milliseconds for each in retrievals),
        flags=_flags(retrievals),
    )


def percentile(ordered: Sequence[float], share: float) -> float:
    """The nearest-rank percentile of ordered values: always one of them."""
    return ordered[max(1, ceil(len(ordered) * share)) - 1]


def _mean(values: Iterable[float]) -> float | None:
    numbers = list(values)
    return fmean(numbers) if numbers else None


def _sums(counts: Iterable[Mapping[str, int]]) -> Mapping[str, int]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return dict(sorted(total.items()))


def _stages(taken: Iterable[Mapping[str, float]]) -> Mapping[str, Percentiles]:
    by_stage: dict[str, list[float]] = defaultdict(list)
    for times in taken:
        for stage, milliseconds in times.items():
            by_stage[stage].append(milliseconds)
    return {stage: percentiles(sorted(values)) for stage, values in sorted(by_stage.items())}


def percentiles(ordered: Sequence[float]) -> Percentiles:
    """The percentiles of at least one ordered value."""
    return Percentiles(*(percentile(ordered, share) for share in (0.50, 0.95, 0.99)))


def _flags(retrievals: Sequence[Retrieval]) -> Mapping[str, float]:
    """The share of retrievals with a flag on. A number or a word is on unless it is 0 or empty."""
    on = Counter(name for each in retrievals for name, value in each.flags.items() if value)
    names = sorted({name for each in retrievals for name in each.flags})
    return {name: on[name] / len(retrievals) for name in names}


MOST_PERIODS = 500
MOST_READ = 100_000  # the newest records of a kind

T = TypeVar("T", Retrieval, JobResult)


def period_edges(since: datetime, until: datetime, step: timedelta) -> list[datetime]:
    """The starts of the periods, and `until` as the end of the last one, which may be shorter than a step."""
    if until <= since:
        raise InvalidInput("until must be later than since")
    if not isinstance(step, timedelta):
        raise InvalidInput(f"step must be a timedelta, not {type(step).__name__}")
    if step <= timedelta(0) or (until - since) / step > MOST_PERIODS:
        raise InvalidInput(f"more than {MOST_PERIODS} steps from since to until; take a longer step")
    count = -((since - until) // step)
    return [since + step * number for number in range(count)] + [until]


def activity(
    store: Store, space: str | None, at: Sequence[datetime], retrievals: Sequence[Retrieval]
) -> list[Activity]:
    """The activity of each period. `at` are the edges of the periods."""
    span = (space, at[0], at[-1], MOST_READ)
    retrieved = _split(at, retrievals)
    embedded = _split(at, store.jobs.ended("embed", *span))
    summarised = _split(at, store.summaries.ended(*span))
    return [
        Activity(
            start=at[number],
            stop=at[number + 1],
            retrievals=measure(retrieved[number]),
            embedded=len(embedded[number]),
            embedding=_times(embedded[number]),
            summaries=sum(each.well for each in summarised[number]),
            failed_summaries=sum(not each.well for each in summarised[number]),
            summarising=_times([each for each in summarised[number] if each.well]),
            tokens=sum(each.tokens for each in store.costs.totals(space, at[number], at[number + 1])),
        )
        for number in range(len(at) - 1)
    ]


def _split(at: Sequence[datetime], values: Sequence[T]) -> list[list[T]]:
    """The values of each period, without those outside of all periods."""
    periods: list[list[T]] = [[] for _ in at[:-1]]
    for value in values:
        if at[0] <= value.at < at[-1]:
            periods[bisect_right(at, value.at) - 1].append(value)
    return periods


def _times(results: Sequence[JobResult]) -> Percentiles | None:
    times = sorted(result.milliseconds for result in results if result.milliseconds is not None)
    return percentiles(times) if times else None
