"""The REST server, with the background work in it."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.extras import need
from recollect.cli.listening import HOST, PORT, Host, HostNames, Log, Model, Port, Rate
from recollect.cli.logs import Level, begin
from recollect.cli.options import STORE, Store
from recollect.cli.output import note
from recollect.cli.upstream import Key, Timeout, Tokens, Windows
from recollect.cli.upstream import upstream as asked
from recollect.cli.worker import stop_signals
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect import Memory
    from recollect.proxy.options import Upstream


def serve(
    *,
    host: Host = HOST,
    port: Port = PORT,
    host_name: HostNames = None,
    rate: Rate = None,
    model: Model = None,
    upstream: Annotated[
        str | None, typer.Option(metavar="URL", help="The model's service that the proxy at /v1 asks.")
    ] = None,
    upstream_key: Key = None,
    memory_tokens: Tokens = 2000,
    window: Windows = None,
    upstream_timeout: Timeout = 600.0,
    log: Log = Level.warning,
    processes: Annotated[int, typer.Option(metavar="N", min=1, max=64, help="Server processes on the port.")] = 1,
    no_work: Annotated[
        bool, typer.Option("--no-work", help="Leave the background work to `recollect worker`.")
    ] = False,
    inherit: Annotated[str | None, typer.Option(hidden=True)] = None,
    store: Store = STORE,
) -> None:
    """Serve a store over HTTP: the page at /, the REST API (see /docs), and with --upstream the memory proxy at /v1.

    Until it is told to stop by Ctrl-C or SIGTERM; what runs is brought to its end. With --processes, one that ends is
    started anew.

    Example: recollect serve --store postgresql://recollect@127.0.0.1/recollect --processes 4
    """
    need("server")
    begin(log)
    names = (host, *(host_name or ()))
    if processes > 1:
        _crew(store, (host, port), names, processes)
        return
    to = None if upstream is None else asked(upstream, upstream_key, memory_tokens, window, upstream_timeout)
    _one(Serving(store, (host, port), names, rate, to, model, not no_work, inherit))


@dataclass(frozen=True, slots=True)
class Serving:
    """One server process, and what it is known by. `inherit` is what a crew has given it."""

    store: str
    place: tuple[str, int]
    names: tuple[str, ...]
    rate: str | None
    upstream: Upstream | None
    model: str | None
    works: bool
    inherit: str | None

    @property
    def shared(self) -> bool:
        """Whether other processes may be serving the same store."""
        return self.inherit is not None or "://" in self.store


def _one(made: Serving) -> None:
    from recollect import Memory
    from recollect.access.hosts import LOOPBACK
    from recollect.server.app import Options, make_app
    from recollect.server.crew import inherited
    from recollect.server.serve import is_loopback, listen, refuse_open
    from recollect.server.serve import serve as run
    from recollect.server.tracing import tracing

    names, local = made.names, all(map(is_loopback, made.names))
    given = None if made.inherit is None else inherited(made.inherit)
    hosts = (*LOOPBACK, *names)
    options = Options(open=local, hosts=hosts, rate=made.rate, shared=made.shared, upstream=made.upstream)
    with tracing(os.environ), Memory(made.store, model=made.model, worker=made.works) as memory:
        refuse_open(memory, *names)
        if given is not None:
            run(make_app(memory, options), given.bound, lambda _: given.begin())
            return
        run(make_app(memory, options), listen(*made.place), lambda url: _say(memory, url))
    note("stopped")


def _crew(store: str, place: tuple[str, int], names: tuple[str, ...], processes: int) -> None:
    """Each process is started with the same words as this one."""
    from recollect import Memory
    from recollect.server.crew import Crew, listen_often
    from recollect.server.serve import refuse_open, url

    if store == ":memory:":
        raise InvalidInput("a store in memory belongs to one process; name a file or a server, or one process")
    with Memory(store, worker=False) as memory:  # made or migrated, and refused, before anybody else opens it
        refuse_open(memory, *names)
    sockets = listen_often(*place, processes)
    command = [sys.executable, "-m", "recollect", *sys.argv[1:], "--processes", "1"]
    with stop_signals() as stop:
        crew = Crew(command, note)
        crew.run(sockets, stop, lambda: _say(memory, url(sockets[0]), f"; {processes} processes"))
    note("stopped")


def _say(memory: Memory, url: str, how: str = "") -> None:
    note(f"{memory.address} is served at {url}{how}; Ctrl-C ends it")
