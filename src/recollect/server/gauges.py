"""What the store itself says when it is asked for its metrics."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

from recollect.memory import Memory

RECENT = timedelta(minutes=5)  # retrievals that quantiles are made of
QUANTILES = ("p50", "p95", "p99")


class StoreGauges(Collector):
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def describe(self) -> list[Metric]:
        """Nothing is read from the store to register."""
        return []

    def collect(self) -> Iterator[Metric]:
        yield from self._held()
        yield from self._spent()
        yield from self._retrieved()

    def _held(self) -> Iterator[Metric]:
        status = self._memory.status()
        for name in ("spaces", "conversations", "messages", "chunks"):
            yield GaugeMetricFamily(f"recollect_{name}", f"Stored {name}.", getattr(status, name))
        jobs = GaugeMetricFamily("recollect_jobs", "Background work by state.", labels=["state"])
        for state, count in status.jobs.items():
            jobs.add_metric([state], count)
        yield jobs

    def _spent(self) -> Iterator[Metric]:
        tokens = CounterMetricFamily(
            "recollect_model_tokens", "Tokens of language models.", labels=["model", "operation", "kind"]
        )
        calls = CounterMetricFamily(
            "recollect_model_calls", "Calls of language models.", labels=["model", "operation", "outcome"]
        )
        for one in self._memory.costs():
            tokens.add_metric([one.model, one.operation, "prompt"], one.prompt_tokens)
            tokens.add_metric([one.model, one.operation, "completion"], one.completion_tokens)
            calls.add_metric([one.model, one.operation, "failed"], one.failed)
            calls.add_metric([one.model, one.operation, "answered"], one.calls - one.failed - one.open)
        yield from (tokens, calls)

    def _retrieved(self) -> Iterator[Metric]:
        recent = self._memory.metrics(since=datetime.now(UTC) - RECENT)
        yield GaugeMetricFamily("recollect_retrievals_recent", "Retrievals of the last five minutes.", recent.count)
        for name in ("hit_rate", "top_score", "budget_use", "prefix_share"):
            value = getattr(recent, name)
            if value is not None:
                yield GaugeMetricFamily(f"recollect_retrieval_{name}", f"{name} of those, on average.", value)
        stages = GaugeMetricFamily(
            "recollect_retrieval_milliseconds", "Milliseconds of those, by stage.", labels=["stage", "quantile"]
        )
        for stage, taken in recent.milliseconds.items():
            for quantile in QUANTILES:
                stages.add_metric([stage, quantile], getattr(taken, quantile))
        yield stages
