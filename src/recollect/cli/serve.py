"""The REST server, with the background work in it."""

from __future__ import annotations

import os
from collections.abc import Callable
from socket import socket
from typing import Annotated

import typer

from recollect.cli.logs import Level, begin
from recollect.cli.options import STORE, Store
from recollect.cli.output import note
from recollect.cli.upstream import Key, Timeout, Tokens, Windows
from recollect.cli.upstream import upstream as asked

HOST = "127.0.0.1"
PORT = 8765


def serve(
    *,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; elsewhere than here, keys are needed.")
    ] = HOST,
    port: Annotated[int, typer.Option(metavar="PORT", min=0, max=65535, help="0 takes any that is free.")] = PORT,
    host_name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name that the server is known by, which takes keys; repeatable."),
    ] = None,
    rate: Annotated[
        str | None, typer.Option(metavar="RATE", help="Requests of each caller at most, as 600/minute.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="MODEL", help="The language model that thinks in the background.")
    ] = None,
    upstream: Annotated[
        str | None, typer.Option(metavar="URL", help="The model's service that the proxy at /v1 asks.")
    ] = None,
    upstream_key: Key = None,
    memory_tokens: Tokens = 2000,
    window: Windows = None,
    upstream_timeout: Timeout = 600.0,
    processes: Annotated[
        int, typer.Option(metavar="N", min=1, max=64, help="How many processes answer, each with its own memory.")
    ] = 1,
    log: Annotated[Level, typer.Option("--log", help="Log lines (JSON) of this level and above.")] = Level.warning,
    store: Store = STORE,
) -> None:
    """Serve a store over HTTP: the page at /, the REST API (see /docs), and with --upstream the memory proxy at /v1.

    Until it is told to stop by Ctrl-C or SIGTERM; what runs is brought to its end.

    Example: recollect serve --store app.db --port 8765
    """
    from recollect import Memory
    from recollect.access.hosts import LOOPBACK
    from recollect.server.app import Options, make_app
    from recollect.server.processes import Processes
    from recollect.server.serve import is_loopback, listen, listening, refuse_open
    from recollect.server.serve import serve as run
    from recollect.server.tracing import tracing

    to = None if upstream is None else asked(upstream, upstream_key, memory_tokens, window, upstream_timeout)
    names = (host, *(host_name or ()))
    options = Options(open=all(map(is_loopback, names)), hosts=(*LOOPBACK, *names), rate=rate, upstream=to)
    begin(log)

    def told(url: str) -> None:
        note(f"{store} is served at {url}; Ctrl-C ends it")

    def answer(bound: socket | None, ready: Callable[[str], object]) -> None:
        with tracing(os.environ), Memory(store, model=model) as memory:
            refuse_open(memory, *names)
            run(make_app(memory, options), bound or listen(host, port), ready)

    if processes == 1:
        answer(None, told)
    else:
        with Memory(store, worker=False) as memory:  # says what is wrong before there are several to say it
            refuse_open(memory, *names)
        bound = listen(host, port)
        told(listening(bound))
        Processes(processes, lambda: answer(bound, str)).run()
    note("stopped")
