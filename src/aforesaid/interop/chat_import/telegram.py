"""Parses the JSON that Telegram Desktop exports: one chat, or all chats of an account. Read message by message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from aforesaid.interop.chat_import import parsing
from aforesaid.interop.chat_import.exports import ExportItem, SkippedItems, SkipReason, SourceFile
from aforesaid.interop.chat_import.people import ChatLine, joined_text
from aforesaid.interop.chat_import.session_batches import SessionBatches
from aforesaid.interop.json_stream import JsonPath
from aforesaid.models.json import Json

Record = Mapping[str, Json]

CHAT_LISTS = ("chats", "left_chats")
CHAT_FIELDS = ("id", "name", "type")
WITH_ONE_OTHER = ("personal_chat", "bot_chat")  # the id of the chat is that of the other
MESSAGE = {"id": int, "type": str, "date": str}
MEDIA = ("photo", "file", "media_type", "contact_information", "location_information", "poll")


def opens(path: JsonPath) -> bool:
    """Everything around the messages: `messages`, or `chats.list.<place>.messages`."""
    return _divide(path)[1] in ((), ("messages",))


def _divide(path: JsonPath) -> tuple[JsonPath, JsonPath]:
    """The place of a chat in the file, and the path inside it."""
    return (path[:3], path[3:]) if path and path[0] in CHAT_LISTS else ((), path)


def knows(record: Record) -> bool:
    messages = parsing.as_list(record.get("messages"))
    if {"id", "type", "name"} & record.keys() and any(parsing.matches_fields(one, MESSAGE) for one in messages):
        return True
    about = {"about", "personal_information", "contacts", "frequent_contacts"} & record.keys()
    return bool(about) and any("list" in parsing.as_object(record.get(name)) for name in CHAT_LISTS)


def chats(values: Iterator[tuple[JsonPath, Json]], file: SourceFile) -> Iterator[ExportItem]:
    """The fields of a chat are before its messages."""
    session, chat = SessionBatches("telegram", f"telegram:{file.stem}"), dict[str, Json]()
    place: JsonPath = ()
    own_id: Json = None
    for path, value in values:
        where, inside = _divide(path)
        if where != place:
            yield from session.flush()
            session, chat = SessionBatches("telegram", f"telegram:{file.stem}:{where[-1]}"), {}
            place = where
        if inside[:1] == ("messages",) and len(inside) == 2:
            yield from _add(value, session, chat | {"own_id": own_id}, file)
        elif inside[:1] == ("personal_information",):
            own_id = parsing.as_object(value).get("user_id")
        elif len(inside) == 1 and isinstance(inside[0], str):
            if inside[0] in CHAT_FIELDS:
                chat[inside[0]] = value if isinstance(value, str | int) else None
        elif inside:
            yield SkippedItems(SkipReason.UNKNOWN)
    yield from session.flush()


def _add(message: Json, session: SessionBatches, chat: Record, file: SourceFile) -> Iterator[ExportItem]:
    if not parsing.matches_fields(message, MESSAGE):
        yield SkippedItems(SkipReason.UNKNOWN)
        return
    chat_id = parsing.valid_id(chat.get("id"))
    session.id = session.id if chat_id is None else f"telegram:{chat_id}"
    session.title = parsing.valid_title(chat.get("name"))
    text = joined_text(message.get("text")) or joined_text(message.get("text_entities"))
    if message["type"] != "message":
        session.skipped[SkipReason.NOTICE] += 1
    elif not text.strip():
        media = any(name in message for name in MEDIA)
        session.skipped[SkipReason.ATTACHMENTS if media else SkipReason.NO_TEXT] += 1
    else:
        forwarded = message.get("forwarded_from")
        unix = message.get("date_unixtime")
        seconds = int(unix) if isinstance(unix, str) and unix.isdecimal() else message["date"]
        line = ChatLine(
            forwarded or message.get("from") or message.get("from_id"),
            text,
            f"{session.id}:{message['id']}",
            parsing.parse_time(seconds),
            mine=not forwarded and _is_mine(message.get("from_id"), chat),
        )
        yield from session.add([line.message(file.me)])


def _is_mine(author: Json, chat: Record) -> bool:
    """Returns True if the user wrote it: in a chat with one other, everything that the other did not."""
    if chat.get("type") == "saved_messages":
        return True
    if chat.get("own_id") is not None:
        return bool(author == f"user{chat['own_id']}")
    return chat.get("type") in WITH_ONE_OTHER and isinstance(author, str) and author != f"user{chat.get('id')}"
