"""How retrievals went on the whole."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from statistics import fmean

from recollect.models import Metrics, Percentiles, Retrieval


def measure(retrievals: Sequence[Retrieval]) -> Metrics:
    """Shares, means and percentiles. Retrievals that lack a number are left out of what is made of it."""
    return Metrics(
        count=len(retrievals),
        hit_rate=_mean(float(one.hits > 0) for one in retrievals),
        top_score=_mean(one.top_scores[0] for one in retrievals if one.top_scores),
        budget_use=_mean(one.tokens / one.budget for one in retrievals if one.tokens is not None and one.budget),
        prefix_share=_mean(
            one.prefix_tokens / one.tokens for one in retrievals if one.prefix_tokens is not None and one.tokens
        ),
        degraded=sum(bool(one.degraded) for one in retrievals),
        sources=_sums(one.sources for one in retrievals),
        content=_sums(one.content for one in retrievals),
        milliseconds=_stages(one.milliseconds for one in retrievals),
        flags=_flags(retrievals),
    )


def percentile(ordered: Sequence[float], share: float) -> float:
    """The least of the ordered values that is not exceeded by `share` of them: always one that was measured."""
    return ordered[max(1, ceil(len(ordered) * share)) - 1]


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return fmean(found) if found else None


def _sums(counts: Iterable[Mapping[str, int]]) -> Mapping[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return dict(sorted(total.items()))


def _stages(taken: Iterable[Mapping[str, float]]) -> Mapping[str, Percentiles]:
    by_stage: dict[str, list[float]] = defaultdict(list)
    for one in taken:
        for stage, milliseconds in one.items():
            by_stage[stage].append(milliseconds)
    return {stage: percentiles(sorted(values)) for stage, values in sorted(by_stage.items())}


def percentiles(ordered: Sequence[float]) -> Percentiles:
    """Of values in order, at least one."""
    return Percentiles(*(percentile(ordered, share) for share in (0.50, 0.95, 0.99)))


def _flags(retrievals: Sequence[Retrieval]) -> Mapping[str, float]:
    """The share of retrievals with a flag on; a number or a word counts as on unless it is 0 or empty."""
    on = Counter(name for one in retrievals for name, value in one.flags.items() if value)
    names = sorted({name for one in retrievals for name in one.flags})
    return {name: on[name] / len(retrievals) for name in names}
