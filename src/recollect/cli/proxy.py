"""The memory proxy, with the background work in it."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from recollect.cli.extras import need
from recollect.cli.listening import HOST, PORT, Host, HostNames, Log, Model, Port, Rate
from recollect.cli.logs import Level, begin
from recollect.cli.options import STORE, Store
from recollect.cli.output import note
from recollect.cli.upstream import Key, Timeout, Tokens, Windows
from recollect.cli.upstream import upstream as asked


def proxy(
    *,
    upstream: Annotated[
        str, typer.Option(metavar="URL", show_default=False, help="Whom to ask, as https://api.openai.com/v1.")
    ],
    upstream_key: Key = None,
    memory_tokens: Tokens = 2000,
    window: Windows = None,
    upstream_timeout: Timeout = 600.0,
    host: Host = HOST,
    port: Port = PORT,
    host_name: HostNames = None,
    rate: Rate = None,
    model: Model = None,
    log: Log = Level.warning,
    store: Store = STORE,
) -> None:
    """Stand between an application and its model: it changes its base URL to this one's /v1, and has memory.

    Speaks OpenAI's chat completions and Responses and Anthropic's messages. `recollect serve --upstream URL` has the
    same beside the REST API. Until it is told to stop by Ctrl-C or SIGTERM.

    Example: recollect proxy --upstream https://api.openai.com/v1 --store app.db
    """
    need("server")
    from recollect import Memory
    from recollect.access.hosts import LOOPBACK
    from recollect.server.app import Options, make_proxy
    from recollect.server.serve import is_loopback, listen, refuse_open
    from recollect.server.serve import serve as run
    from recollect.server.tracing import tracing

    to = asked(upstream, upstream_key, memory_tokens, window, upstream_timeout)
    begin(log)
    with tracing(os.environ), Memory(store, model=model) as memory:
        names = (host, *(host_name or ()))
        refuse_open(memory, *names)
        local, shared = all(map(is_loopback, names)), "://" in store
        given = Options(open=local, hosts=(*LOOPBACK, *names), rate=rate, shared=shared, upstream=to)
        run(
            make_proxy(memory, given),
            listen(host, port),
            lambda url: note(f"{memory.address} remembers what is said at {url}; Ctrl-C ends it"),
        )
    note("stopped")
