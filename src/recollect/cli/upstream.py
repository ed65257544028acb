"""The options of whoever asks an upstream: `serve` and `proxy` have the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from recollect.proxy.options import Upstream

KEY = "RECOLLECT_UPSTREAM_KEY"

Key = Annotated[
    str | None,
    typer.Option(
        "--upstream-key",
        envvar=KEY,
        metavar="KEY",
        show_default=False,
        help="The upstream's key, in place of what callers send; better in the environment.",
    ),
]
Tokens = Annotated[
    int, typer.Option("--memory-tokens", metavar="N", min=0, help="Tokens that memory adds to a request at most.")
]
Windows = Annotated[
    list[str] | None,
    typer.Option(
        "--window",
        metavar="MODEL=TOKENS",
        help="What a model takes; longer histories are shortened to it. MODEL may have `*`; repeatable.",
    ),
]
Timeout = Annotated[
    float,
    typer.Option("--upstream-timeout", metavar="SECONDS", min=0.1, help="How long the upstream may say nothing."),
]


def upstream(url: str, key: str | None, tokens: int, sizes: list[str] | None, timeout: float) -> Upstream:
    """Checked now, so that a mistake is told before anything is served."""
    from recollect.proxy.options import Upstream, base, windows

    return Upstream(base(url), key or None, tokens, windows(sizes or ()), timeout)
