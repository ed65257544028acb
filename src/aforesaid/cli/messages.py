"""The commands `add`, `messages`, `edit` and `remove`: store messages from text or JSON Lines, list, change and remove
them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from aforesaid import Message
from aforesaid.cli.jobs import finish_local_jobs
from aforesaid.cli.options import (
    SPACE,
    STORE,
    AsJson,
    ConversationName,
    ExpiresOption,
    Limit,
    SpaceName,
    Store,
    parse_object,
)
from aforesaid.cli.output import Table, format_time, print_result, progress
from aforesaid.cli.store import open_conversation, open_existing, open_or_create
from aforesaid.errors import InvalidInput

STANDARD_INPUT = "-"
MessageDict = dict[str, Any]


def read_jsonl(source: str) -> list[MessageDict]:
    """The messages of a file, or of standard input for `-`. Empty lines are ignored."""
    name = "standard input" if source == STANDARD_INPUT else source
    lines = enumerate(_read_bytes(source).removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1)
    return [_parse_message(text, f"line {number} of {name}") for number, text in lines if text.strip()]


def read_text(text: str | None) -> str:
    """The text, or standard input without its last line end if the text is missing or `-`."""
    if text is not None and text != STANDARD_INPUT:
        return text
    if text is None and sys.stdin.isatty():
        raise InvalidInput("there is no text; give it as an argument, or pipe it in")
    try:
        content = _read_bytes(STANDARD_INPUT).decode()
    except UnicodeDecodeError as exc:
        raise InvalidInput(f"standard input is not UTF-8 text at byte {exc.start}; convert it first") from exc
    return content.removesuffix("\n").removesuffix("\r")


def _read_bytes(source: str) -> bytes:
    if source == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    try:
        return Path(source).read_bytes()
    except OSError as exc:
        raise InvalidInput(f"{source} cannot be read: {exc.strerror}") from exc


def _parse_message(text: bytes, where: str) -> MessageDict:
    try:
        message = json.loads(text.decode())
    except (ValueError, RecursionError) as exc:
        raise InvalidInput(f"{where} is not JSON: {exc}; nothing was stored") from exc
    if not isinstance(message, dict):
        raise InvalidInput(f"{where} is not an object with 'role' and 'content'; nothing was stored")
    return message


def add(
    conversation: ConversationName,
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="The message; - or nothing reads standard input.")
    ] = None,
    *,
    role: Annotated[
        str | None, typer.Option(metavar="ROLE", help="system, user, assistant or tool; the default is user.")
    ] = None,
    space: SpaceName = SPACE,
    id: Annotated[str | None, typer.Option(metavar="ID", help="The message's id; repeating it stores it once.")] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="The speaker's name.")] = None,
    model: Annotated[
        str | None, typer.Option(metavar="PROVIDER:MODEL", help="The model that answers in the conversation.")
    ] = None,
    at: Annotated[
        str | None, typer.Option(metavar="TIME", help="The time, such as 2026-03-01T09:30:00+01:00; else now.")
    ] = None,
    tool_call_id: Annotated[
        str | None, typer.Option(metavar="ID", help="The tool call that a tool message answers.")
    ] = None,
    expires: ExpiresOption = None,
    jsonl: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Store many messages, one JSON object per line; - is standard input."),
    ] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Store a message, or many.

    When the command ends, the message is durable and can be recalled by words and by meaning.

    Example: aforesaid add trip "We settled on Lisbon in May."
    """
    fields = {"role": role, "id": id, "name": name, "at": at, "tool_call_id": tool_call_id, "expires": expires}
    options = {option: value for option, value in fields.items() if value is not None}
    if jsonl is not None and (text is not None or options):
        raise InvalidInput("with --jsonl each line has its own role, content, id, name, at, tool_call_id and expires")
    messages = read_jsonl(jsonl) if jsonl else [{"role": "user", "content": read_text(text), **options}]
    with open_or_create(store) as memory:
        chat = memory.space(space).conversation(conversation, model=model)
        with progress(f"storing {len(messages)}"):
            stored = chat.add_many(messages) if jsonl else [chat.add(**messages[0])]
        finish_local_jobs(memory)
    if jsonl:
        print_result(stored, as_json, f"stored {len(stored)} messages in {conversation}")
    else:
        print_result(stored[0], as_json, f"stored #{stored[0].seq} of {conversation}, id {stored[0].id}")


def edit(
    conversation: ConversationName,
    message: Annotated[str, typer.Argument(metavar="MESSAGE", help="The message's id.", show_default=False)],
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="The new text; - or nothing reads standard input.")
    ] = None,
    *,
    metadata: Annotated[str | None, typer.Option(metavar="JSON", help="The new metadata, an object.")] = None,
    raw: Annotated[str | None, typer.Option(metavar="JSON", help="The message as a framework wrote it.")] = None,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Change the text of a message, its metadata or its raw form. Its id, place, time and role stay.

    Everything derived from the old text is erased or made again, and the store's files are scrubbed. With --metadata or
    --raw and without TEXT, the text stays.

    Example: aforesaid edit trip 019ca6b1-dc00-7000-800d-8e84327e27e2 "We settled on Porto in May."
    """
    with open_existing(store) as memory:
        content = None if text is None and (metadata is not None or raw is not None) else read_text(text)
        edited = (
            memory.space(space)
            .conversation(conversation)
            .edit(message, content, metadata=parse_object(metadata, "--metadata"), raw=raw)
        )
        finish_local_jobs(memory)
    print_result(edited, as_json, f"changed #{edited.seq} of {conversation}, id {edited.id}")


def remove(
    conversation: ConversationName,
    first: Annotated[
        str | None, typer.Argument(metavar="FIRST", help="The first message: its id or number.", show_default=False)
    ] = None,
    last: Annotated[
        str | None, typer.Argument(metavar="LAST", help="The last message; the default is the newest.")
    ] = None,
    *,
    newest: Annotated[bool, typer.Option("--newest", help="Remove only the newest message.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Remove all messages; the conversation stays.")] = False,
    space: SpaceName = SPACE,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Remove messages from a conversation, with everything derived from them.

    The store's files are scrubbed later; `aforesaid forget` scrubs them at once.

    Example: aforesaid remove trip 12
    """
    if (first is not None) + newest + everything != 1:
        raise InvalidInput("name the first message to remove, or give --newest or --all")
    with open_conversation(store, space, conversation) as chat:
        if newest:
            removed = 0 if chat.pop() is None else 1
        else:
            removed = chat.clear() if everything else chat.remove(_place(first or ""), last and _place(last))
    print_result({"removed": removed}, as_json, f"removed {removed} message{'' if removed == 1 else 's'}")


def _place(message: str) -> str | int:
    return int(message) if message.isdecimal() else message


def messages(
    conversation: ConversationName,
    *,
    space: SpaceName = SPACE,
    limit: Limit = 50,
    after: Annotated[int | None, typer.Option(metavar="SEQ", help="Messages after this number.")] = None,
    before: Annotated[int | None, typer.Option(metavar="SEQ", help="The last messages before this number.")] = None,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """List the messages of a conversation, oldest first. The default is its last messages.

    Example: aforesaid messages trip --limit 20
    """
    with open_conversation(store, space, conversation) as chat:
        page = chat.messages(limit, after=after, before=before)
    rows = ((each.seq, format_time(each.created_at), each.name or each.role, _full_text(each)) for each in page)
    print_result(page, as_json, Table(("#", "at", "role", "text"), rows, right=("#",)))


def _full_text(message: Message) -> str:
    """The text, the types of other parts, and the tool calls."""
    content = message.content
    others = [] if isinstance(content, str) else [part.get("type") for part in content if "text" not in part]
    calls = [json.dumps(call.get("function", call), ensure_ascii=False) for call in message.tool_calls or ()]
    lines = [message.text, *(f"<{kind}>" for kind in others), *(f"calls {call}" for call in calls)]
    return "\n".join(text for text in lines if text)
