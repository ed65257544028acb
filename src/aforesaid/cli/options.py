"""Options that several commands share, and shell completion of space and conversation names."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from typer.models import ArgumentInfo

from aforesaid.errors import AforesaidError, InvalidInput
from aforesaid.models.json import Json

if TYPE_CHECKING:
    from aforesaid import ConversationInfo, Memory, SpaceInfo

STORE = "aforesaid.db"
SPACE = "default"
MAX_NAMES = 1_000  # names that completion reads; a shell shows no more


def complete_spaces(ctx: typer.Context, incomplete: str) -> list[str]:
    return _complete(ctx, incomplete, lambda memory: memory.spaces(MAX_NAMES))


def complete_conversations(ctx: typer.Context, incomplete: str) -> list[str]:
    return _complete(ctx, incomplete, lambda memory: memory.space(ctx.params["space"]).conversations(MAX_NAMES))


def _complete(
    ctx: typer.Context, incomplete: str, read: Callable[[Memory], Sequence[SpaceInfo | ConversationInfo]]
) -> list[str]:
    """Returns the names that begin with the typed text. An error gives no completions."""
    from aforesaid.cli.store import open_existing

    try:
        with open_existing(ctx.params["store"]) as memory:
            names = [info.id for info in read(memory)]
    except (AforesaidError, OSError):
        return []
    return [name for name in names if name.startswith(incomplete) and name.isprintable()]


def parse_metadata_filter(text: str | None) -> dict[str, Json] | None:
    """Raises InvalidInput if the text is not a JSON object."""
    return parse_object(text, "--filter")


def parse_object(text: str | None, option: str) -> dict[str, Json] | None:
    """Raises InvalidInput if the text is not a JSON object."""
    try:
        value = None if text is None else json.loads(text)
    except ValueError as exc:
        raise InvalidInput(f"{option} is not valid JSON: {exc}") from exc
    if value is not None and not isinstance(value, dict):
        raise InvalidInput(f"""{option} takes a JSON object, such as '{{"topic": "billing"}}'""")
    return value


def conversation_argument(metavar: str, *, show_default: bool = False) -> ArgumentInfo:
    help = "The conversation's name."
    argument: ArgumentInfo = typer.Argument(
        metavar=metavar, help=help, show_default=show_default, autocompletion=complete_conversations
    )
    return argument


Store = Annotated[str, typer.Option("--store", envvar="AFORESAID_STORE", metavar="PATH", help="The store to use.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else, on standard output.")]
ExpiresOption = Annotated[
    str | None, typer.Option(metavar="WHEN", help="When it disappears: a time, a day, or a duration such as 30d.")
]
SpaceName = Annotated[
    str, typer.Option("--space", metavar="NAME", help="The space to use.", autocompletion=complete_spaces)
]
AnySpace = Annotated[
    str | None,
    typer.Option("--space", metavar="NAME", help="Only this space; else all.", autocompletion=complete_spaces),
]
OtherSpaces = Annotated[
    list[str] | None,
    typer.Option("--also", metavar="NAME", help="Search this space too; repeatable.", autocompletion=complete_spaces),
]
ConversationName = Annotated[str, conversation_argument("CONVERSATION")]
AnyConversation = Annotated[str | None, conversation_argument("[CONVERSATION]")]
ConversationFilter = Annotated[
    str | None,
    typer.Option(
        "--conversation", metavar="NAME", help="Only this conversation.", autocompletion=complete_conversations
    ),
]
MetadataFilter = Annotated[
    str | None,
    typer.Option("--filter", metavar="JSON", help='Conditions on metadata: {"topic": "x", "priority": {"$gte": 3}}.'),
]
FactId = Annotated[str, typer.Argument(metavar="FACT", help="The fact's id, or its beginning.", show_default=False)]
Limit = Annotated[int, typer.Option("--limit", metavar="N", help="At most this many.")]
AfterId = Annotated[str | None, typer.Option("--after", metavar="ID", help="The last id of the previous page.")]
TimeOption = Annotated[str | None, typer.Option(metavar="TIME", help="A day, or a time with an offset.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be done, and change nothing.")]
