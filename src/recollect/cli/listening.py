"""The options of whoever listens: `serve` and `proxy` have the same."""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli.logs import Level

HOST = "127.0.0.1"
PORT = 8765

Host = Annotated[
    str, typer.Option("--host", metavar="ADDRESS", help="Where to listen; elsewhere than here, keys are needed.")
]
Port = Annotated[int, typer.Option("--port", metavar="PORT", min=0, max=65535, help="0 takes any that is free.")]
HostNames = Annotated[
    list[str] | None,
    typer.Option("--host-name", metavar="NAME", help="A name that it is known by, which takes keys; repeatable."),
]
Rate = Annotated[
    str | None, typer.Option("--rate", metavar="RATE", help="Requests of each caller at most, as 600/minute.")
]
Model = Annotated[
    str | None, typer.Option("--model", metavar="MODEL", help="The language model that thinks in the background.")
]
Log = Annotated[Level, typer.Option("--log", help="Log lines (JSON) of this level and above.")]
