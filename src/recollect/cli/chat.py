"""A chat in the terminal, with a memory."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.chat_lines import Typed, lines
from recollect.cli.chat_screen import Screen
from recollect.cli.chat_words import obey
from recollect.cli.context import MaxTokens, RecipeName
from recollect.cli.opening import working
from recollect.cli.options import SPACE, STORE, AsJson, Space, Store
from recollect.errors import NoModel, RecollectError

if TYPE_CHECKING:
    from recollect.cli.chat_dialogue import Dialogue

CHAT = "chat"


def chat(
    conversation: Annotated[str, typer.Argument(metavar="[CONVERSATION]", help="The conversation's name.")] = CHAT,
    *,
    space: Space = SPACE,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who answers; else the conversation's own, or RECOLLECT_MODEL.")
    ] = None,
    system: Annotated[str | None, typer.Option(metavar="TEXT", help="The system text.")] = None,
    recipe: RecipeName = "balanced",
    max_tokens: MaxTokens = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Talk with a language model that remembers.

    What was said before is shown; answers come as they are made, and all is kept. /help lists what else can be typed.
    Ctrl-C stops an answer, Ctrl-D ends. In a pipe each line is a message. Without a model, what one would see is shown.

    Example: recollect chat trip --model ollama:qwen3
    """
    from recollect.cli.chat_dialogue import Dialogue, Seen

    seen = Seen(recipe=recipe, max_tokens=max_tokens, system=system, overflow="truncate")
    screen = Screen(live=not as_json and sys.stdin.isatty() and sys.stdout.isatty(), as_json=as_json)
    with working(store) as memory:
        dialogue = Dialogue(memory.space(space), conversation, model, seen)
        if model is not None and dialogue.answerer.reason is not None:
            raise NoModel(dialogue.answerer.reason)
        screen.opened(dialogue)
        for typed in lines(screen.prompt, live=screen.live):
            if not _turn(dialogue, screen, typed):
                return


def _turn(dialogue: Dialogue, screen: Screen, typed: Typed) -> bool:
    """Does what was typed; whether the chat goes on. At a terminal neither a failure nor Ctrl-C ends it."""
    try:
        if typed.command is not None:
            return obey(dialogue, screen, typed.command, typed.text)
        screen.turn(dialogue, typed.text)
    except (RecollectError, KeyboardInterrupt) as exc:
        if not screen.live:
            raise
        screen.remark(f"error: {exc}" if isinstance(exc, RecollectError) else "stopped")
    return True
