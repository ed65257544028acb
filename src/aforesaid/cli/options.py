"""Options that several commands share, and shell completion of space and conversation names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from aforesaid.cli.store import open_existing
from aforesaid.errors import AforesaidError

STORE = "aforesaid.db"
SPACE = "default"
MAX_NAMES = 1_000  # names that completion reads; a shell shows no more


def complete_spaces(ctx: typer.Context, incomplete: str) -> list[str]:
    """The spaces that begin so. An error gives no completions."""
    try:
        with open_existing(ctx.params["store"]) as memory:
            return _matching((info.id for info in memory.spaces(MAX_NAMES)), incomplete)
    except (AforesaidError, OSError):
        return []


def complete_conversations(ctx: typer.Context, incomplete: str) -> list[str]:
    """The conversations of the space that begin so. An error gives no completions."""
    try:
        with open_existing(ctx.params["store"]) as memory:
            conversations = memory.space(ctx.params["space"]).conversations(MAX_NAMES)
            return _matching((info.id for info in conversations), incomplete)
    except (AforesaidError, OSError):
        return []


def _matching(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete) and name.isprintable()]


Store = Annotated[str, typer.Option("--store", envvar="AFORESAID_STORE", metavar="PATH", help="The store to use.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else, on standard output.")]
SpaceName = Annotated[
    str, typer.Option("--space", metavar="NAME", help="The space to use.", autocompletion=complete_spaces)
]
AnySpace = Annotated[
    str | None,
    typer.Option("--space", metavar="NAME", help="Only this space; else all.", autocompletion=complete_spaces),
]
ConversationName = Annotated[
    str,
    typer.Argument(
        metavar="CONVERSATION",
        help="The conversation's name.",
        show_default=False,
        autocompletion=complete_conversations,
    ),
]
AnyConversation = Annotated[
    str | None,
    typer.Argument(
        metavar="[CONVERSATION]",
        help="The conversation's name.",
        show_default=False,
        autocompletion=complete_conversations,
    ),
]
ConversationFilter = Annotated[
    str | None,
    typer.Option(
        "--conversation", metavar="NAME", help="Only this conversation.", autocompletion=complete_conversations
    ),
]
FactId = Annotated[str, typer.Argument(metavar="FACT", help="The fact's id, or its beginning.", show_default=False)]
Limit = Annotated[int, typer.Option("--limit", metavar="N", help="At most this many.")]
AfterId = Annotated[str | None, typer.Option("--after", metavar="ID", help="The last id of the previous page.")]
TimeOption = Annotated[str | None, typer.Option(metavar="TIME", help="A day, or a time with an offset.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be done, and change nothing.")]
