"""What is measured of each request: its route, its status, its time. Never a name, an address or a word of it."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass

from opentelemetry import propagate, trace
from opentelemetry.trace import Span, SpanKind, StatusCode
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger(__name__)

METHODS = frozenset(("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"))
UNKNOWN = "other"  # a path or method that is none of ours: it could be anything, so it names no series
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Meters:
    """The counters of one application, in a registry of their own."""

    def __init__(self, registry: CollectorRegistry) -> None:
        labels = ("method", "route")
        self.requests = Counter("recollect_requests", "Requests answered.", (*labels, "status"), registry=registry)
        self.seconds = Histogram(
            "recollect_request_seconds", "Until a request is answered.", labels, buckets=BUCKETS, registry=registry
        )
        self.running = Gauge("recollect_requests_running", "Requests under way.", registry=registry)


@dataclass(slots=True)
class Seen:
    """One request, as far as it has come."""

    begun: float
    status: int = 500


class Observed:
    """Counts and times requests, and makes each a span where OpenTelemetry is set up."""

    def __init__(self, app: ASGIApp, meters: Meters) -> None:
        self._app = app
        self._meters = meters
        self._tracer = trace.get_tracer("recollect")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        seen = Seen(time.perf_counter())

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                seen.status = message["status"]
            await send(message)

        before = propagate.extract(dict(Headers(scope=scope)))
        self._meters.running.inc()
        with self._tracer.start_as_current_span(
            "request", before, SpanKind.SERVER, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                await self._app(scope, receive, sending)
            finally:
                self._meters.running.dec()
                self._note(scope, seen, span)

    def _note(self, scope: Scope, seen: Seen, span: Span) -> None:
        method = scope["method"] if scope["method"] in METHODS else UNKNOWN
        route, seconds = route_of(scope), time.perf_counter() - seen.begun
        self._meters.requests.labels(method, route, seen.status).inc()
        self._meters.seconds.labels(method, route).observe(seconds)
        span.update_name(f"{method} {route}")
        span.set_attributes(
            {"http.request.method": method, "http.route": route, "http.response.status_code": seen.status}
        )
        if seen.status >= 500:
            span.set_status(StatusCode.ERROR)
        log.info(
            "request",
            extra={
                "action": "request",
                "method": method,
                "route": route,
                "status": seen.status,
                "milliseconds": round(seconds * 1000, 3),
            },
        )


def route_of(scope: Scope) -> str:
    """The route's pattern, with the names of its parts in place of what they were."""
    return str(getattr(scope.get("route"), "path_format", UNKNOWN))
