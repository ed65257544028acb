"""The REST server, with the background work in it."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from recollect.cli.logs import Level, begin
from recollect.cli.options import STORE, Store
from recollect.cli.output import note

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
    log: Annotated[Level, typer.Option("--log", help="Log lines (JSON) of this level and above.")] = Level.warning,
    store: Store = STORE,
) -> None:
    """Serve a store over HTTP: the page at /, the REST API with its description at /docs.

    Until it is told to stop by Ctrl-C or SIGTERM; what runs is brought to its end.

    Example: recollect serve --store app.db --port 8765
    """
    from recollect import Memory
    from recollect.access.hosts import LOOPBACK
    from recollect.server.app import Options, make_app
    from recollect.server.serve import is_loopback, listen, refuse_open
    from recollect.server.serve import serve as run
    from recollect.server.tracing import tracing

    begin(log)
    with tracing(os.environ), Memory(store, model=model) as memory:
        names = (host, *(host_name or ()))
        refuse_open(memory, *names)
        options = Options(open=all(map(is_loopback, names)), hosts=(*LOOPBACK, *names), rate=rate)
        run(
            make_app(memory, options),
            listen(host, port),
            lambda url: note(f"{store} is served at {url}; Ctrl-C ends it"),
        )
    note("stopped")
