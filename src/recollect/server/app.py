"""The application: its parts in the order that a request meets them."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, FastAPI
from fastapi.telemetry import TelemetryConfig
from prometheus_client import CollectorRegistry
from starlette.middleware.body_limit import RequestBodyLimitMiddleware

from recollect import __version__
from recollect.access.gate import Gate
from recollect.access.hosts import LOOPBACK, Hosts
from recollect.access.limits import Limits
from recollect.memory import Memory
from recollect.server import failing
from recollect.server.etags import Etags
from recollect.server.gauges import StoreGauges
from recollect.server.guard import Guard
from recollect.server.made import PREFIX
from recollect.server.mcp import Mcp
from recollect.server.observe import Meters, Observed
from recollect.server.paths import WholeNames
from recollect.server.routes import (
    changes,
    contexts,
    conversations,
    debug,
    episodes,
    messages,
    metrics,
    pins,
    prometheus,
    recall,
    receipts,
    scores,
    summaries,
)
from recollect.server.streams import Streams

SILENT: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False}  # its spans would quote questions
ROUTERS: tuple[APIRouter, ...] = (
    conversations.router,
    messages.router,
    changes.router,
    scores.router,
    contexts.router,
    recall.router,
    pins.router,
    summaries.router,
    episodes.router,
    receipts.router,
    metrics.router,
    debug.router,
)


@dataclass(frozen=True, slots=True)
class Options:
    """How a server is set up. `open`: on loopback, without keys as long as none was made. `hosts` are the names that
    it answers to, `rate` how often each caller may ask, `largest` the bytes of a body at most."""

    open: bool = True
    hosts: tuple[str, ...] = LOOPBACK
    rate: str | None = None
    largest: int = 32 * 2**20


def make_app(memory: Memory, options: Options | None = None) -> FastAPI:
    """The server's application on a store. Whoever has opened the store closes it."""
    given = options or Options()
    gate, limits = Gate(memory, open=given.open), Limits(given.rate)
    mcp = Mcp(memory, gate, limits, given.largest)
    app = FastAPI(
        title="recollect", version=__version__, docs_url=None, redoc_url=None, telemetry=SILENT, lifespan=mcp.running
    )
    app.state.memory = memory
    app.state.gate = gate
    app.state.limits = limits
    app.state.streams = Streams(memory)
    failing.install(app)
    mcp.mount(app)
    for router in ROUTERS:
        app.include_router(router, prefix=PREFIX, responses=failing.EVERYWHERE)
    app.add_middleware(Etags)
    app.add_middleware(Guard, hosts=Hosts(given.hosts))
    app.add_middleware(RequestBodyLimitMiddleware, max_body_size=given.largest)
    app.include_router(prometheus.router, responses=failing.EVERYWHERE)
    app.state.registry = CollectorRegistry()
    app.state.registry.register(StoreGauges(memory))
    app.add_middleware(Observed, meters=Meters(app.state.registry))
    app.add_middleware(WholeNames)
    return app
