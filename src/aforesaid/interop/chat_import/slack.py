"""Parses the exports of Slack: `users.json`, `channels.json`, and a folder of days for each channel."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping

from aforesaid.interop.chat_import import parsing
from aforesaid.interop.chat_import.exports import ExportItem, SkippedItems, SkipReason, SourceFile
from aforesaid.interop.chat_import.people import ChatLine
from aforesaid.interop.chat_import.session_batches import SessionBatches
from aforesaid.models.json import Json

Record = Mapping[str, Json]

MESSAGE = {"type": str, "ts": str}
PERSON = {"id": str, "profile": dict}
CHANNEL = {"id": str, "members": list}  # of channels, groups and direct messages
WRITTEN = ("bot_message", "me_message", "thread_broadcast", "file_share")  # besides messages without a subtype
_REFERENCE = re.compile(r"<([@#!]?)([^<>|\n]{1,2000})(?:\|([^<>\n]*))?>")


def knows(record: Record) -> bool:
    written = parsing.matches_fields(record, MESSAGE) and bool({"user", "bot_id", "subtype"} & record.keys())
    return written or parsing.matches_fields(record, PERSON) or parsing.matches_fields(record, CHANNEL)


def chats(elements: Iterator[Json], file: SourceFile) -> Iterator[ExportItem]:
    """Each channel is a conversation. Files of people and channels give the names for the ids."""
    channel = file.folder or file.stem
    session = SessionBatches("slack", f"slack:{channel}")
    session.title = channel
    for element in elements:
        if parsing.matches_fields(element, PERSON):
            profile = element["profile"]
            names = (
                profile.get("display_name"),
                profile.get("real_name"),
                element.get("real_name"),
                element.get("name"),
            )
            file.names[element["id"]] = next((name for name in map(parsing.valid_id, names) if name), element["id"])
        elif parsing.matches_fields(element, MESSAGE):
            yield from _add(element, session, file, channel)
        elif not parsing.matches_fields(element, CHANNEL):
            yield SkippedItems(SkipReason.UNKNOWN)
    yield from session.flush()


def _add(message: Record, session: SessionBatches, file: SourceFile, channel: str) -> Iterator[ExportItem]:
    text = message.get("text")
    session.skipped[SkipReason.ATTACHMENTS] += len(parsing.as_list(message.get("files")))
    if message["type"] != "message" or message.get("subtype", WRITTEN[0]) not in WRITTEN:
        session.skipped[SkipReason.NOTICE] += 1
    elif not isinstance(text, str) or not text.strip():
        session.skipped[SkipReason.NO_TEXT] += 1
    else:
        profile = parsing.as_object(message.get("user_profile"))
        user = message.get("user")
        known = file.names.get(user) if isinstance(user, str) else None
        author = known or profile.get("real_name") or message.get("username") or user or message.get("bot_id")
        line = ChatLine(
            author,
            readable_text(text, file.names),
            parsing.valid_id(f"slack:{channel}:{message['ts']}"),
            parsing.parse_time(_seconds(message["ts"])),
            mine=file.me is not None and file.me in (user, profile.get("name")),
        )
        yield from session.add([line.message(file.me)])


def _seconds(ts: str) -> float | None:
    try:
        return float(ts)
    except ValueError:
        return None


def readable_text(text: str, names: Mapping[str, str]) -> str:
    """The text as people read it: names for ids, and links without marks."""

    def shown(found: re.Match[str]) -> str:
        mark, target, label = found.groups()
        if mark == "@":
            return f"@{label or names.get(target, target)}"
        return label or (f"{mark}{target}" if mark in ("#", "!") else target)

    return html.unescape(_REFERENCE.sub(shown, text))
