"""A message comes in, or many."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from recollect.cli.jsonl import STANDARD_INPUT, ChatMessage, read_jsonl, read_text
from recollect.cli.opening import writing
from recollect.cli.options import SPACE, STORE, AsJson, ConversationName, Space, Store
from recollect.cli.output import print_json, say
from recollect.cli.progress import progress
from recollect.cli.settle import settle
from recollect.errors import InvalidInput


def add(
    conversation: ConversationName,
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="What was said; - or nothing: standard input.")
    ] = None,
    *,
    role: Annotated[
        str | None, typer.Option(metavar="ROLE", help="system, user, assistant or tool; user unless told.")
    ] = None,
    space: Space = SPACE,
    id: Annotated[str | None, typer.Option(metavar="ID", help="The message's id: repeating it stores it once.")] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Who spoke.")] = None,
    model: Annotated[str | None, typer.Option(metavar="PROVIDER:MODEL", help="The model that answers.")] = None,
    at: Annotated[
        str | None, typer.Option(metavar="TIME", help="When, such as 2026-03-01T09:30:00+01:00; now.")
    ] = None,
    tool_call_id: Annotated[
        str | None, typer.Option(metavar="ID", help="The call that a tool's message answers.")
    ] = None,
    jsonl: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Many messages, one JSON object a line, all or none; - is stdin."),
    ] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Store a message, or many.

    It is durable, and found by words and by meaning, when the command ends.

    Example: recollect add trip "We settled on Lisbon in May."
    """
    alone = {"role": role, "id": id, "name": name, "at": at, "tool_call_id": tool_call_id}
    one = {option: value for option, value in alone.items() if value is not None}
    messages = [_one(text, one)] if jsonl is None else _many(jsonl, text, one)
    with writing(store) as memory:
        chat = memory.space(space).conversation(conversation, model=model)
        with progress(f"storing {len(messages)}"):
            stored = chat.add_many(messages) if jsonl else [chat.add(**messages[0])]
        settle(memory)
    if as_json:
        print_json(stored if jsonl else stored[0])
    elif jsonl:
        say(f"stored {len(stored)} messages in {conversation}")
    else:
        say(f"stored #{stored[0].seq} of {conversation}, id {stored[0].id}")


def _one(text: str | None, options: dict[str, str]) -> ChatMessage:
    if text is None and sys.stdin.isatty():
        raise InvalidInput("there is no text: give it after the conversation's name, or pipe it in")
    content = read_text() if text in (None, STANDARD_INPUT) else text
    return {"role": "user", "content": content, **options}


def _many(source: str, text: str | None, options: dict[str, str]) -> list[ChatMessage]:
    if text is not None or options:
        raise InvalidInput("with --jsonl each line says role, content, id, name, at and tool_call_id itself")
    return read_jsonl(source)
