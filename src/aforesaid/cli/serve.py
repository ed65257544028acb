"""The commands `serve` and `proxy`: the REST server and the memory proxy."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from aforesaid import Memory
from aforesaid.cli.jobs import stop_signals
from aforesaid.cli.logs import LogLevel, configure_logging
from aforesaid.cli.options import STORE, Store
from aforesaid.cli.output import note
from aforesaid.errors import InvalidInput
from aforesaid.hooks.running_server import RunningServer, announced

if TYPE_CHECKING:
    from fastapi import FastAPI

    from aforesaid.access.oauth import OAuthOptions
    from aforesaid.proxy.upstream import UpstreamOptions
    from aforesaid.server.app import AppOptions
    from aforesaid.server.connections import ConnectionLimits

PACKAGES = {"server": ("fastapi", "limits", "prometheus_client", "uvicorn"), "mcp": ("mcp", "jwt")}
NAMES = {"server": "the server", "mcp": "MCP"}
HOST = "127.0.0.1"
PORT = 8765
SERVED = "is served"
MEMORY_TOKENS = 2000
UPSTREAM_SECONDS = 600.0
CONNECTIONS = 1000
HEADER_SECONDS = 10.0
BODY_SECONDS = 30.0

HostOption = Annotated[
    str, typer.Option("--host", metavar="ADDRESS", help="The address. Outside this machine, it needs a key.")
]
PortOption = Annotated[int, typer.Option("--port", metavar="PORT", min=0, max=65535, help="0 chooses a free port.")]
HostNamesOption = Annotated[
    list[str] | None,
    typer.Option("--host-name", metavar="NAME", help="A host name of the server; needs a key; repeatable."),
]
OriginsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--origin", metavar="URL", help="An origin whose pages may use the server, as https://HOST; repeatable."
    ),
]
TrustedProxiesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--trusted-proxy",
        metavar="ADDRESS",
        help="A reverse proxy whose X-Forwarded-For and X-Forwarded-Proto are believed; repeatable.",
    ),
]
ConnectionsOption = Annotated[
    int,
    typer.Option("--connections", metavar="N", min=8, help="Open connections of a process; half from one address."),
]
HeaderTimeoutOption = Annotated[
    float,
    typer.Option("--header-timeout", metavar="SECONDS", min=0.1, help="The longest wait for a request's headers."),
]
BodyTimeoutOption = Annotated[
    float,
    typer.Option(
        "--body-timeout", metavar="SECONDS", min=0.1, help="The longest wait for a slow body or a slow reader."
    ),
]
RateOption = Annotated[
    str | None, typer.Option("--rate", metavar="RATE", help="At most this many requests per caller, as 600/minute.")
]
BackgroundModelOption = Annotated[
    str | None, typer.Option("--model", metavar="MODEL", help="The language model for background work.")
]
OAuthIssuerOption = Annotated[
    str | None, typer.Option("--oauth-issuer", metavar="URL", help="Accept OAuth tokens of this issuer at /mcp.")
]
PublicUrlOption = Annotated[
    str | None, typer.Option("--public-url", metavar="URL", help="The server's URL for clients with OAuth tokens.")
]
LogOption = Annotated[LogLevel, typer.Option("--log", help="Log lines (JSON) of this level and above.")]
UpstreamKeyOption = Annotated[
    str | None,
    typer.Option(
        "--upstream-key",
        envvar="AFORESAID_UPSTREAM_KEY",
        metavar="KEY",
        show_default=False,
        help="The upstream's key. It replaces the callers' keys. Prefer the environment variable.",
    ),
]
MemoryTokensOption = Annotated[
    int, typer.Option("--memory-tokens", metavar="N", min=0, help="At most this many tokens of memory per message.")
]
WindowsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--window",
        metavar="MODEL=TOKENS",
        help="The context window of a model; longer histories are shortened. MODEL may have `*`; repeatable.",
    ),
]
UpstreamTimeoutOption = Annotated[
    float, typer.Option("--upstream-timeout", metavar="SECONDS", min=0.1, help="The longest wait for data.")
]


def require_extra(extra: str) -> None:
    """Raises InvalidInput if an optional dependency is not installed."""
    if any(find_spec(package) is None for package in PACKAGES[extra]):
        raise InvalidInput(f'{NAMES[extra]} needs a package that is not installed: pip install "aforesaid[{extra}]"')


def make_upstream(url: str, key: str | None, tokens: int, sizes: list[str] | None, timeout: float) -> UpstreamOptions:
    """Validates the options before anything is served."""
    from aforesaid.proxy.upstream import UpstreamOptions, base_url, windows

    return UpstreamOptions(base_url(url), key or None, tokens, windows(sizes or ()), timeout)


def make_oauth(issuer: str | None, public_url: str | None) -> OAuthOptions | None:
    """Validates the options before anything is served."""
    from aforesaid.access.oauth import OAuthOptions

    if issuer is None and public_url is None:
        return None
    if issuer is None or public_url is None:
        raise InvalidInput("OAuth needs both --oauth-issuer and --public-url")
    require_extra("mcp")
    return OAuthOptions(issuer, f"{public_url.rstrip('/')}/mcp")


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Options of one server process. `inherit` comes from the supervisor of several processes."""

    store: str
    place: tuple[str, int]
    names: tuple[str, ...]
    rate: str | None
    upstream: UpstreamOptions | None
    model: str | None
    origins: tuple[str, ...]
    limits: ConnectionLimits
    works: bool = True
    inherit: str | None = None
    oauth: OAuthOptions | None = None

    def app_options(self) -> AppOptions:
        from aforesaid.server.app import AppOptions
        from aforesaid.server.middleware import LOOPBACK
        from aforesaid.server.serve import is_loopback

        shared = self.inherit is not None or "://" in self.store
        hosts = (*LOOPBACK, *self.names)
        local = all(map(is_loopback, self.names))
        return AppOptions(
            open=local,
            hosts=hosts,
            origins=self.origins,
            rate=self.rate,
            shared=shared,
            upstream=self.upstream,
            oauth=self.oauth,
        )


def proxy(
    *,
    upstream: Annotated[
        str, typer.Option(metavar="URL", show_default=False, help="The model's API, as https://api.openai.com/v1.")
    ],
    upstream_key: UpstreamKeyOption = None,
    memory_tokens: MemoryTokensOption = MEMORY_TOKENS,
    window: WindowsOption = None,
    upstream_timeout: UpstreamTimeoutOption = UPSTREAM_SECONDS,
    host: HostOption = HOST,
    port: PortOption = PORT,
    host_name: HostNamesOption = None,
    origin: OriginsOption = None,
    trusted_proxy: TrustedProxiesOption = None,
    connections: ConnectionsOption = CONNECTIONS,
    header_timeout: HeaderTimeoutOption = HEADER_SECONDS,
    body_timeout: BodyTimeoutOption = BODY_SECONDS,
    rate: RateOption = None,
    model: BackgroundModelOption = None,
    log: LogOption = "warning",
    store: Store = STORE,
) -> None:
    """Give an application memory: it uses this server's /v1 as the base URL of its model.

    Supports the chat completions and Responses of OpenAI, the messages of Anthropic and Ollama's API, and passes on the
    rest. `aforesaid serve --upstream URL` offers the same beside the REST API. Runs until Ctrl-C or SIGTERM.

    Example: aforesaid proxy --upstream https://api.openai.com/v1 --store app.db
    """
    require_extra("server")
    from aforesaid.server.app import make_proxy
    from aforesaid.server.connections import ConnectionLimits

    to = make_upstream(upstream, upstream_key, memory_tokens, window, upstream_timeout)
    configure_logging(log)
    limits = ConnectionLimits(connections, header_timeout, body_timeout, tuple(trusted_proxy or ()))
    names, origins = (host, *(host_name or ())), tuple(origin or ())
    options = ServerOptions(store, (host, port), names, rate, to, model, origins, limits)
    _run_server(options, make_proxy, "is the memory of the proxy")


def serve(
    *,
    host: HostOption = HOST,
    port: PortOption = PORT,
    host_name: HostNamesOption = None,
    origin: OriginsOption = None,
    trusted_proxy: TrustedProxiesOption = None,
    connections: ConnectionsOption = CONNECTIONS,
    header_timeout: HeaderTimeoutOption = HEADER_SECONDS,
    body_timeout: BodyTimeoutOption = BODY_SECONDS,
    rate: RateOption = None,
    model: BackgroundModelOption = None,
    upstream: Annotated[str | None, typer.Option(metavar="URL", help="The model's API, for the proxy at /v1.")] = None,
    upstream_key: UpstreamKeyOption = None,
    memory_tokens: MemoryTokensOption = MEMORY_TOKENS,
    window: WindowsOption = None,
    upstream_timeout: UpstreamTimeoutOption = UPSTREAM_SECONDS,
    oauth_issuer: OAuthIssuerOption = None,
    public_url: PublicUrlOption = None,
    log: LogOption = "warning",
    processes: Annotated[int, typer.Option(metavar="N", min=1, max=64, help="Server processes on the port.")] = 1,
    no_work: Annotated[
        bool, typer.Option("--no-work", help="Leave the background work to `aforesaid worker`.")
    ] = False,
    inherit: Annotated[str | None, typer.Option(hidden=True)] = None,
    store: Store = STORE,
) -> None:
    """Serve a store over HTTP: the page at /, the REST API (see /docs), and with --upstream the memory proxy at /v1.

    Runs until Ctrl-C or SIGTERM, and finishes running requests. With --processes, a process that ends is restarted.

    Example: aforesaid serve --store postgresql://aforesaid@127.0.0.1/aforesaid --processes 4
    """
    require_extra("server")
    configure_logging(log)
    from aforesaid.server.connections import ConnectionLimits

    limits = ConnectionLimits(connections, header_timeout, body_timeout, tuple(trusted_proxy or ()))
    names = (host, *(host_name or ()))
    oauth = make_oauth(oauth_issuer, public_url)
    if processes > 1:
        _serve_many(store, (host, port), names, processes)
        return
    from aforesaid.server.app import make_app

    to = None if upstream is None else make_upstream(upstream, upstream_key, memory_tokens, window, upstream_timeout)
    options = ServerOptions(
        store, (host, port), names, rate, to, model, tuple(origin or ()), limits, not no_work, inherit, oauth
    )
    _run_server(options, make_app)


def _run_server(options: ServerOptions, make: Callable[[Memory, AppOptions], FastAPI], what: str = SERVED) -> None:
    from aforesaid.server.serve import listen, require_key
    from aforesaid.server.serve import serve as run
    from aforesaid.server.supervisor import parse_inherited
    from aforesaid.server.telemetry import tracing

    inherited = None if options.inherit is None else parse_inherited(options.inherit)
    with tracing(os.environ), Memory(options.store, model=options.model, worker=options.works) as memory:
        require_key(memory, *options.names)
        app = make(memory, options.app_options())
        if inherited is not None:
            run(app, inherited.bound, lambda _: inherited.report_ready(), options.limits)
            return
        told, bound = f"{memory.address} {what} at", listen(*options.place)
        with _announced(options, memory, bound) if what == SERVED else nullcontext():
            run(app, bound, lambda url: note(f"{told} {url}; Ctrl-C ends it"), options.limits)
    note("stopped")


def _announced(options: ServerOptions, memory: Memory, bound: socket.socket) -> AbstractContextManager[None]:
    """Lets the hooks of coding agents use this server, if it asks for no key."""
    from aforesaid.server.serve import is_loopback, url

    if not all(map(is_loopback, options.names)) or any(key.revoked_at is None for key in memory.keys()):  # noqa: SIM118
        return nullcontext()
    return announced(options.store, RunningServer(url(bound), os.getpid()))


def _serve_many(store: str, place: tuple[str, int], names: tuple[str, ...], processes: int) -> None:
    """Starts each process with the arguments of this one."""
    from aforesaid.server.serve import require_key, url
    from aforesaid.server.supervisor import Supervisor, listen_shared

    if not hasattr(socket, "SO_REUSEPORT"):
        raise InvalidInput("on this system, one process serves a port; use --processes 1, or several ports")
    if store == ":memory:":
        raise InvalidInput("a store in memory belongs to one process; use a file, a database, or --processes 1")
    with Memory(store, worker=False) as memory:  # create or migrate it, or refuse, before other processes open it
        require_key(memory, *names)
    sockets = listen_shared(*place, processes)
    command = [sys.executable, "-m", "aforesaid", *sys.argv[1:], "--processes", "1"]
    ready = f"{memory.address} is served at {url(sockets[0])}; {processes} processes; Ctrl-C ends it"
    with stop_signals() as stop:
        Supervisor(command, note).run(sockets, stop, lambda: note(ready))
    note("stopped")
