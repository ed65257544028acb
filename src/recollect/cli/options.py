"""Options that several commands share: one word for one thing."""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli import complete

STORE = "recollect.db"
SPACE = "default"

Store = Annotated[str, typer.Option("--store", envvar="RECOLLECT_STORE", metavar="PATH", help="The file to use.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else, on standard output.")]
Space = Annotated[str, typer.Option("--space", metavar="NAME", help="Whose memory.", autocompletion=complete.spaces)]
Limit = Annotated[int, typer.Option("--limit", metavar="N", help="How many at most.")]
AfterId = Annotated[str | None, typer.Option("--after", metavar="ID", help="The last one of the page before.")]
ConversationName = Annotated[
    str,
    typer.Argument(
        metavar="CONVERSATION",
        help="The conversation's name.",
        show_default=False,
        autocompletion=complete.conversations,
    ),
]
