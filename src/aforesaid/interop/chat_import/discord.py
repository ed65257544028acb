"""Parses the JSON files of DiscordChatExporter: one channel in each. Read message by message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from aforesaid.interop.chat_import import parsing
from aforesaid.interop.chat_import.exports import ExportItem, SkippedItems, SkipReason, SourceFile
from aforesaid.interop.chat_import.people import ChatLine
from aforesaid.interop.chat_import.session_batches import SessionBatches
from aforesaid.interop.json_stream import JsonPath
from aforesaid.models.json import Json

Record = Mapping[str, Json]

MESSAGE = {"id": str, "type": str, "author": dict}
WRITTEN = ("Default", "Reply", "ThreadStarterMessage", "ApplicationCommand", "ContextMenuCommand")


def opens(path: JsonPath) -> bool:
    return path in ((), ("messages",))


def knows(record: Record) -> bool:
    return parsing.matches_fields(record, {"guild": dict, "channel": dict}) and "messages" in record


def chats(values: Iterator[tuple[JsonPath, Json]], file: SourceFile) -> Iterator[ExportItem]:
    session = SessionBatches("discord", f"discord:{file.stem}")
    guild: Json = None
    for path, value in values:
        if path[:1] == ("messages",) and len(path) == 2:
            yield from _add(value, session, file)
        elif path == ("guild",):
            guild = parsing.as_object(value).get("name")
        elif path == ("channel",):
            channel = parsing.as_object(value)
            id, name = parsing.valid_id(channel.get("id")), parsing.valid_title(channel.get("name"))
            session.id = session.id if id is None else f"discord:{id}"
            session.title = f"{guild} / {name}" if name and isinstance(guild, str) else name
        elif path and not isinstance(path[0], str):
            yield SkippedItems(SkipReason.UNKNOWN)
    yield from session.flush()


def _add(message: Json, session: SessionBatches, file: SourceFile) -> Iterator[ExportItem]:
    if not parsing.matches_fields(message, MESSAGE):
        yield SkippedItems(SkipReason.UNKNOWN)
        return
    author, text = message["author"], message.get("content")
    session.skipped[SkipReason.ATTACHMENTS] += len(parsing.as_list(message.get("attachments")))
    if message["type"] not in WRITTEN:
        session.skipped[SkipReason.NOTICE] += 1
    elif not isinstance(text, str) or not text.strip():
        session.skipped[SkipReason.NO_TEXT] += 1
    else:
        mine = file.me is not None and file.me.casefold() in (str(author.get("name")).casefold(), author.get("id"))
        line = ChatLine(
            author.get("nickname") or author.get("name"),
            text,
            parsing.valid_id(f"discord:{message['id']}"),
            parsing.parse_time(message.get("timestamp")),
            mine,
        )
        yield from session.add([line.message(file.me)])
