"""The commands that list conversations and change their title or state."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from aforesaid import ConversationInfo
from aforesaid.cli.jobs import finish_local_jobs
from aforesaid.cli.options import SPACE, STORE, AfterId, AsJson, ConversationName, Limit, SpaceName, Store
from aforesaid.cli.output import Table, format_time, print_result, shorten
from aforesaid.cli.store import open_existing, open_space
from aforesaid.models.conversation import ConversationStatus

COUNTS = ("messages", "turns", "tokens")
TITLE_LENGTH = 60
_SEQ = re.compile(r"-?\d+")


def conversations(
    *,
    space: SpaceName = SPACE,
    limit: Limit = 50,
    after: AfterId = None,
    status: Annotated[ConversationStatus | None, typer.Option(help="Only conversations in this state.")] = None,
    query: Annotated[
        str | None, typer.Option(metavar="WORDS", help="Only conversations with these words in their name or title.")
    ] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """List the conversations of a space, oldest first.

    Example: aforesaid conversations --space alice --status active
    """
    with open_space(store, space) as known:
        page = known.conversations(limit, after=after, status=status, query=query)
    print_result(page, as_json, _table(page))


def rename(
    conversation: ConversationName,
    title: Annotated[str, typer.Argument(help="The new title.", show_default=False)],
    *,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Change the title of a conversation. Its name stays.

    Example: aforesaid rename trip "Lisbon in May"
    """
    _change(conversation, space, store, as_json, ("rename", title))


def end(
    conversation: ConversationName,
    *,
    outcome: Annotated[str | None, typer.Option(metavar="TEXT", help="The result.")] = None,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """End a conversation. `aforesaid resume` continues it.

    Example: aforesaid end trip --outcome "Flights are booked."
    """
    _change(conversation, space, store, as_json, ("end", outcome))


def expire(
    conversation: ConversationName,
    when: Annotated[str, typer.Argument(help="A time, a day, a duration such as 30d, or never.", show_default=False)],
    *,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Set when a conversation disappears and is forgotten, with everything derived from it.

    Example: aforesaid expire trip 90d
    """
    _change(conversation, space, store, as_json, ("expire", when))


def fork(
    conversation: ConversationName,
    *,
    at: Annotated[
        str | None,
        typer.Option(metavar="SEQ|ID", help="The last message that is shared; the newest by default, -1 for none."),
    ] = None,
    name: Annotated[str | None, typer.Option("--id", metavar="NAME", help="The name of the branch.")] = None,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Start a branch of a conversation: it shares the past up to a message and goes on for itself.

    Example: aforesaid fork trip --at 3
    """
    place = int(at) if at is not None and _SEQ.fullmatch(at) else at
    with open_existing(store) as memory:
        info = memory.space(space).conversation(conversation).fork(place, id=name).info()
    print_result(info, as_json, _table([info]))


def branches(
    conversation: ConversationName, *, space: SpaceName = SPACE, store: Store = STORE, as_json: AsJson = False
) -> None:
    """List the branches of a conversation.

    Example: aforesaid branches trip
    """
    with open_space(store, space) as known:
        found = known.conversation(conversation).branches()
    print_result(found, as_json, _table(found))


def _state_command(verb: str, help: str) -> Callable[..., None]:
    """A command that calls a verb of Conversation without arguments."""

    def command(
        conversation: ConversationName, *, space: SpaceName = SPACE, store: Store = STORE, as_json: AsJson = False
    ) -> None:
        _change(conversation, space, store, as_json, (verb,))

    command.__name__, command.__doc__ = verb, f"{help}\n\nExample: aforesaid {verb} trip"
    return command


pause = _state_command("pause", "Pause a conversation. The next message resumes it.")
resume = _state_command("resume", "Continue a conversation that is paused or ended.")
mute = _state_command(
    "mute",
    "Mute a conversation: it is not recalled elsewhere, and no facts or episodes are extracted from it.",
)
unmute = _state_command("unmute", "Undo `aforesaid mute`. Messages added meanwhile are recalled and extracted again.")


def _change(conversation: str, space: str, store: str, as_json: bool, call: Sequence[str | None]) -> None:
    """Calls a verb of Conversation with its arguments."""
    verb, *arguments = call
    with open_existing(store) as memory:
        info: ConversationInfo = getattr(memory.space(space).conversation(conversation), str(verb))(*arguments)
        finish_local_jobs(memory)
    print_result(info, as_json, _table([info]))


def _table(conversations: list[ConversationInfo]) -> Table:
    return Table(("conversation", "status", *COUNTS, "last change", "title"), map(_row, conversations), right=COUNTS)


def _row(info: ConversationInfo) -> tuple[object, ...]:
    counts = (info.messages, info.turns, info.tokens)
    status = f"{info.status}, muted" if info.muted else info.status
    status += f", branch of {info.parent} at {info.forked_at}" if info.parent is not None else ""
    return info.id, status, *counts, format_time(info.updated_at), shorten(info.title or "", TITLE_LENGTH)
