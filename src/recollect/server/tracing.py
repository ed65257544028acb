"""OpenTelemetry, where the environment names a collector (OTEL_EXPORTER_OTLP_ENDPOINT)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from recollect.errors import InvalidInput

VARIABLES = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


@contextmanager
def tracing(environment: Mapping[str, str]) -> Iterator[bool]:
    """Sends spans to the collector as long as the context is open; False where none is named."""
    if not any(environment.get(name) for name in VARIABLES):
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
            "OpenTelemetry is asked for and not installed; pip install 'recollect[otel]', or unset "
            + " and ".join(VARIABLES)
        ) from exc
    service = {"service.name": environment.get("OTEL_SERVICE_NAME", "recollect")}
    provider = TracerProvider(resource=Resource.create(service))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    try:
        yield True
    finally:
        provider.shutdown()
