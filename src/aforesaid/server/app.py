"""Builds the ASGI application: routers, the MCP and proxy endpoints, and the middleware around them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cached_property

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.telemetry import TelemetryConfig
from prometheus_client import CollectorRegistry

from aforesaid import __version__
from aforesaid.access.authentication import Authenticator
from aforesaid.access.limits import ConcurrencyLimit, FailureLimit, RateLimiter
from aforesaid.access.oauth import OAuthOptions, TokenAuthenticator
from aforesaid.memory import Memory
from aforesaid.models.json import Json
from aforesaid.proxy.endpoint import ProxyEndpoint
from aforesaid.proxy.upstream import UpstreamOptions
from aforesaid.server import errors
from aforesaid.server.broadcasts import AnswerBroadcasts
from aforesaid.server.idempotency import IdempotencyMiddleware
from aforesaid.server.mcp import McpEndpoint, oauth_metadata_routes
from aforesaid.server.middleware import (
    LOOPBACK,
    BodyLimitMiddleware,
    DeprecationMiddleware,
    ETagMiddleware,
    HostMiddleware,
    SecurityHeadersMiddleware,
)
from aforesaid.server.params import PathDecodingMiddleware
from aforesaid.server.reference.openapi import DESCRIPTION, TAGS, complete_schema
from aforesaid.server.routes import (
    changes,
    contexts,
    conversations,
    debug,
    episodes,
    facts,
    feedback,
    forget,
    hooks,
    items,
    messages,
    metrics,
    monitoring,
    pages,
    pins,
    profile,
    recall,
    records,
    replies,
    spaces,
    store,
    summaries,
    transfer,
)
from aforesaid.server.same_origin import allowed_origin
from aforesaid.server.sse import ChangeStreams
from aforesaid.server.telemetry import StoreMetricsCollector, TelemetryMiddleware

NO_TELEMETRY: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False}  # its spans contain user text
ELSEWHERE = (pages.router, monitoring.prometheus_router, hooks.router)  # not for an application of others
MONITORING = (monitoring.router, monitoring.prometheus_router)
ROUTERS: tuple[APIRouter, ...] = (
    conversations.router, messages.router, messages.locate_router, changes.router, messages.scores_router,
    contexts.router, replies.router, recall.router, feedback.router, pins.router, summaries.router, episodes.router,
    contexts.receipts_router, metrics.router, debug.router, debug.stats_router, facts.router, facts.relations_router,
    facts.consolidations_router, records.router, records.records_router, profile.router, profile.about_router,
    profile.consent_router, profile.audit_router, spaces.settings_router, forget.router, forget.hold_router,
    transfer.router, spaces.router, store.router, hooks.router, transfer.backup_router, metrics.cost_router,
    store.keys_router, items.router, *MONITORING, pages.router,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AppOptions:
    """The configuration of a server.

    `open`: on loopback, no key is needed until the first one is created. `hosts` are the host names that it answers
    to; None means any. Pages of `origins` may use it, beside its own. `rate` limits the requests of each caller; if
    `shared`, all processes on the store count together. Bodies have at most `largest` bytes, imports `imports` bytes,
    and `unpacked` bytes after unpacking. `upstream` is the model API behind the proxy at /v1. With `oauth`, /mcp
    accepts tokens too.
    """

    open: bool = True
    hosts: tuple[str, ...] | None = LOOPBACK
    origins: tuple[str, ...] = ()
    rate: str | None = None
    shared: bool = False
    largest: int = 32 * 2**20
    imports: int = 2**30
    unpacked: int = 8 * 2**30
    upstream: UpstreamOptions | None = None
    oauth: OAuthOptions | None = None


class ApiApplication(FastAPI):
    """Adds access levels and examples to the OpenAPI document, and encodes it once: its 250 KB need no key."""

    def setup(self) -> None:
        self.add_route("/openapi.json", self._send_openapi, include_in_schema=False)

    def openapi(self) -> dict[str, Json]:
        if self.openapi_schema is None:
            self.openapi_schema = complete_schema(super().openapi(), self.routes)
        return self.openapi_schema

    @cached_property
    def _encoded_openapi(self) -> bytes:
        return json.dumps(self.openapi(), ensure_ascii=False, separators=(",", ":")).encode()

    async def _send_openapi(self, _: Request) -> Response:
        return Response(self._encoded_openapi, media_type="application/json")


def make_app(memory: Memory, options: AppOptions | None = None) -> FastAPI:
    """The server's application on a store. The caller closes the store."""
    options = options or AppOptions()
    count_failure = FailureLimit().count
    authenticator = Authenticator(memory, open=options.open, count_failure=count_failure)
    limits = RateLimiter(options.rate, memory if options.shared else None)
    tokens = None if options.oauth is None else TokenAuthenticator(options.oauth, authenticator, count_failure)
    mcp = McpEndpoint(memory, tokens or authenticator, limits, options.largest)
    proxy = ProxyEndpoint(memory, authenticator, limits, options.upstream)
    return _make_app(memory, options, ROUTERS, (authenticator, limits), (mcp, proxy))


def make_proxy(memory: Memory, options: AppOptions) -> FastAPI:
    """The application of a server with the proxy, health and metrics only."""
    authenticator = Authenticator(memory, open=options.open, count_failure=FailureLimit().count)
    limits = RateLimiter(options.rate, memory if options.shared else None)
    proxy = ProxyEndpoint(memory, authenticator, limits, options.upstream)
    return _make_app(memory, options, MONITORING, (authenticator, limits), (proxy,))


def make_mounted(memory: Memory, options: AppOptions, authenticator: Authenticator) -> FastAPI:
    """The REST API for a path of another application, which authenticates its callers."""
    routers = [router for router in ROUTERS if router not in ELSEWHERE]
    return _make_app(memory, options, routers, (authenticator, RateLimiter(options.rate)), ())


def _make_app(
    memory: Memory,
    options: AppOptions,
    routers: Sequence[APIRouter],
    access: tuple[Authenticator, RateLimiter],
    endpoints: Sequence[McpEndpoint | ProxyEndpoint],
) -> FastAPI:
    """The routes are passed to FastAPI as they are: with `include_router`, it would copy each route on first use."""
    origins = tuple(map(allowed_origin, options.origins))
    authenticator, limits = access

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            stack.push_async_callback(app.state.broadcasts.aclose)
            for endpoint in endpoints:
                await stack.enter_async_context(endpoint.running())
            yield

    app = ApiApplication(
        title="aforesaid",
        version=__version__,
        description=DESCRIPTION,
        openapi_tags=TAGS,
        docs_url=None,
        redoc_url=None,
        telemetry=NO_TELEMETRY,
        lifespan=lifespan,
        routes=[route for router in routers for route in router.routes],
    )
    app.state.memory, app.state.authenticator, app.state.limits = memory, authenticator, limits
    app.state.registry = CollectorRegistry()
    app.state.registry.register(StoreMetricsCollector(memory))
    app.state.streams = ChangeStreams(memory)
    app.state.broadcasts = AnswerBroadcasts()
    app.state.watch_limit = ConcurrencyLimit(replies.MAX_WATCHERS, "answers")
    app.state.reply_limit = ConcurrencyLimit(replies.MAX_REPLIES, "answers")
    app.state.unpacked = options.unpacked
    app.state.import_limit = ConcurrencyLimit(transfer.MAX_IMPORTS, "imports")
    errors.install(app)
    for endpoint in endpoints:
        endpoint.mount(app)
    if options.oauth is not None:
        app.router.routes.extend(oauth_metadata_routes(options.oauth))
    app.add_middleware(DeprecationMiddleware)  # innermost first
    app.add_middleware(ETagMiddleware)
    app.add_middleware(IdempotencyMiddleware, authenticator=authenticator)
    app.add_middleware(BodyLimitMiddleware, usual=options.largest, imports=options.imports)
    app.add_middleware(HostMiddleware, names=options.hosts, origins=origins)
    app.add_middleware(errors.CatchAllMiddleware)
    app.add_middleware(TelemetryMiddleware, registry=app.state.registry)
    app.add_middleware(PathDecodingMiddleware)
    app.add_middleware(SecurityHeadersMiddleware)
    return app
