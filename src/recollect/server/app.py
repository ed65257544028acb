"""The application: its parts in the order that a request meets them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from fastapi import APIRouter, FastAPI
from fastapi.telemetry import TelemetryConfig
from prometheus_client import CollectorRegistry

from recollect import __version__
from recollect.access.gate import Gate
from recollect.access.hosts import LOOPBACK, Hosts
from recollect.access.limits import Limits
from recollect.memory import Memory
from recollect.models import Json
from recollect.proxy.options import Upstream
from recollect.proxy.proxy import Proxy
from recollect.server import failing
from recollect.server.bodies import Bodies
from recollect.server.etags import Etags
from recollect.server.gauges import StoreGauges
from recollect.server.guard import Guard
from recollect.server.headers import SafeHeaders
from recollect.server.mcp import Mcp
from recollect.server.observe import Meters, Observed
from recollect.server.paths import WholeNames
from recollect.server.reference.describe import ABOUT, TAGS, described, levels
from recollect.server.routes import health, prometheus, reference, replies, ui
from recollect.server.routes.all import ROUTERS
from recollect.server.seats import Seats
from recollect.server.streams import Streams

Running = Callable[[], AbstractAsyncContextManager[None]]
SILENT: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False}  # its spans would quote questions


@dataclass(frozen=True, slots=True)
class Options:
    """How a server is set up. `open`: on loopback, without keys as long as none was made. `hosts` are the names that
    it answers to, `rate` how often each caller may ask, counted with other processes where it is `shared`, `largest`
    the bytes of a body at most; an import may have `imports`, and `unpacked` once it is unpacked. `upstream` is whom
    the proxy at /v1 asks."""

    open: bool = True
    hosts: tuple[str, ...] = LOOPBACK
    rate: str | None = None
    shared: bool = False
    largest: int = 32 * 2**20
    imports: int = 2**30
    unpacked: int = 8 * 2**30
    upstream: Upstream | None = None


class Server(FastAPI):
    """Describes itself completely."""

    def openapi(self) -> dict[str, Json]:
        if self.openapi_schema is None:
            access = levels([*ROUTERS, health.router, prometheus.router])
            self.openapi_schema = described(super().openapi(), access)
        return self.openapi_schema


def make_app(memory: Memory, options: Options | None = None) -> FastAPI:
    """The server's application on a store. Whoever has opened the store closes it."""
    given = options or Options()
    gate, limits = Gate(memory, open=given.open), Limits(given.rate, memory if given.shared else None)
    mcp, proxy = Mcp(memory, gate, limits, given.largest), Proxy(memory, gate, limits, given.upstream)
    routers = (*ROUTERS, health.router, prometheus.router, reference.router, ui.router)
    app = _begun(memory, gate, limits, routers, mcp.running, proxy.running)
    app.state.streams = Streams(memory)
    app.state.seats = Seats(replies.MOST, "answers")
    app.state.unpacked = given.unpacked
    mcp.mount(app)
    proxy.mount(app)
    return _guarded(app, given)


def make_proxy(memory: Memory, options: Options) -> FastAPI:
    """The application of a server that is a proxy and nothing else, but for its health and its metrics."""
    gate, limits = Gate(memory, open=options.open), Limits(options.rate, memory if options.shared else None)
    proxy = Proxy(memory, gate, limits, options.upstream)
    app = _begun(memory, gate, limits, (health.router, prometheus.router), proxy.running)
    proxy.mount(app)
    return _guarded(app, options)


def _begun(memory: Memory, gate: Gate, limits: Limits, routers: Sequence[APIRouter], *running: Running) -> Server:
    """An application with routes as they are; one that includes routers would make each route anew when it is first
    asked for. What its doors need is open while it runs."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for each in running:
                await stack.enter_async_context(each())
            yield

    app = Server(
        title="recollect",
        version=__version__,
        description=ABOUT,
        openapi_tags=TAGS,
        docs_url=None,
        redoc_url=None,
        telemetry=SILENT,
        lifespan=lifespan,
        routes=[route for router in routers for route in router.routes],
    )
    app.state.memory = memory
    app.state.gate = gate
    app.state.limits = limits
    app.state.registry = CollectorRegistry()
    app.state.registry.register(StoreGauges(memory))
    failing.install(app)
    return app


def _guarded(app: Server, given: Options) -> FastAPI:
    """The application behind what every request meets first."""
    app.add_middleware(Etags)
    app.add_middleware(Guard, hosts=Hosts(given.hosts))
    app.add_middleware(Bodies, usual=given.largest, imports=given.imports)
    app.add_middleware(failing.LastResort)
    app.add_middleware(Observed, meters=Meters(app.state.registry))
    app.add_middleware(WholeNames)
    app.add_middleware(SafeHeaders)
    return app
