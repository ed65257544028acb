"""Prometheus metrics, spans and the request log. They contain routes, statuses and durations, never names or texts."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from opentelemetry import propagate, trace
from opentelemetry.trace import Span, SpanKind, StatusCode
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from aforesaid.errors import InvalidInput
from aforesaid.memory import Memory

log = logging.getLogger(__name__)

METHODS = frozenset(("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"))
UNKNOWN = "other"  # one label for all unknown paths and methods, so that clients cannot create series
ENDPOINT_VARIABLES = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
RECENT_PERIOD = timedelta(minutes=5)  # of the retrieval quantiles
QUANTILES = ("p50", "p95", "p99")
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class TelemetryMiddleware:
    """Counts, times and logs requests, and records a span for each if OpenTelemetry is configured."""

    def __init__(self, app: ASGIApp, registry: CollectorRegistry) -> None:
        self._app = app
        labels, seconds = ("method", "route"), "Seconds until a request is complete."
        self._requests = Counter("aforesaid_requests", "Completed requests.", (*labels, "status"), registry=registry)
        self._seconds = Histogram("aforesaid_request_seconds", seconds, labels, buckets=BUCKETS, registry=registry)
        self._running = Gauge("aforesaid_requests_running", "Running requests.", registry=registry)
        self._tracer = trace.get_tracer("aforesaid")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status = time.perf_counter(), 500

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        parent = propagate.extract(dict(Headers(scope=scope)))
        self._running.inc()
        with self._tracer.start_as_current_span(
            "request", parent, SpanKind.SERVER, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                await self._app(scope, receive, send_and_note)
            finally:
                self._running.dec()
                self._record(scope, status, time.perf_counter() - start, span)

    def _record(self, scope: Scope, status: int, seconds: float, span: Span) -> None:
        method = scope["method"] if scope["method"] in METHODS else UNKNOWN
        route = str(getattr(scope.get("route"), "path_format", UNKNOWN))  # the pattern, without names
        self._requests.labels(method, route, status).inc()
        self._seconds.labels(method, route).observe(seconds)
        span.update_name(f"{method} {route}")
        span.set_attributes({"http.request.method": method, "http.route": route, "http.response.status_code": status})
        if status >= 500:
            span.set_status(StatusCode.ERROR)
        labels = {"method": method, "route": route, "status": status}
        log.info("request", extra={"action": "request", **labels, "milliseconds": round(seconds * 1000, 3)})


class StoreMetricsCollector(Collector):
    """Reads the metrics of the store on each scrape."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def describe(self) -> list[Metric]:
        """Returns nothing, so that registration does not read the store."""
        return []

    def collect(self) -> Iterator[Metric]:
        yield from self._content()
        yield from self._costs()
        yield from self._retrievals()

    def _content(self) -> Iterator[Metric]:
        status = self._memory.status()
        for name in ("spaces", "conversations", "messages", "chunks"):
            yield GaugeMetricFamily(f"aforesaid_{name}", f"Stored {name}.", getattr(status, name))
        jobs = GaugeMetricFamily("aforesaid_jobs", "Background work by state.", labels=["state"])
        for state, count in status.jobs.items():
            jobs.add_metric([state], count)
        yield jobs

    def _costs(self) -> Iterator[Metric]:
        tokens = CounterMetricFamily(
            "aforesaid_model_tokens", "Tokens of language models.", labels=["model", "operation", "kind"]
        )
        calls = CounterMetricFamily(
            "aforesaid_model_calls", "Calls of language models.", labels=["model", "operation", "outcome"]
        )
        for cost in self._memory.costs():
            tokens.add_metric([cost.model, cost.operation, "prompt"], cost.prompt_tokens)
            tokens.add_metric([cost.model, cost.operation, "completion"], cost.completion_tokens)
            calls.add_metric([cost.model, cost.operation, "failed"], cost.failed)
            calls.add_metric([cost.model, cost.operation, "answered"], cost.calls - cost.failed - cost.open)
        yield from (tokens, calls)

    def _retrievals(self) -> Iterator[Metric]:
        recent = self._memory.metrics(since=datetime.now(UTC) - RECENT_PERIOD)
        yield GaugeMetricFamily("aforesaid_retrievals_recent", "Retrievals of the last five minutes.", recent.count)
        for name in ("hit_rate", "top_score", "budget_use", "prefix_share"):
            value = getattr(recent, name)
            if value is not None:
                yield GaugeMetricFamily(f"aforesaid_retrieval_{name}", f"Mean {name} of the last five minutes.", value)
        stages = GaugeMetricFamily(
            "aforesaid_retrieval_milliseconds",
            "Milliseconds by stage, of the last five minutes.",
            labels=["stage", "quantile"],
        )
        for stage, quantiles in recent.milliseconds.items():
            for quantile in QUANTILES:
                stages.add_metric([stage, quantile], getattr(quantiles, quantile))
        yield stages


@contextmanager
def tracing(environment: Mapping[str, str]) -> Iterator[bool]:
    """Exports spans to the configured collector while the context is open. Yields False if none is configured."""
    if not any(environment.get(name) for name in ENDPOINT_VARIABLES):
        yield False
        return
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as exc:
        raise InvalidInput(
            "OpenTelemetry is configured but not installed; pip install 'aforesaid[otel]', or unset "
            + " and ".join(ENDPOINT_VARIABLES)
        ) from exc
    service = {"service.name": environment.get("OTEL_SERVICE_NAME", "aforesaid")}
    provider = TracerProvider(resource=Resource.create(service))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    try:
        yield True
    finally:
        provider.shutdown()
