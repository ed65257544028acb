"""Parses the activity of Gemini Apps from Google Takeout (`MyActivity.json`, newest first)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping

from aforesaid.interop.chat_import import parsing
from aforesaid.interop.chat_import.exports import (
    ExportedChat,
    ExportedMessage,
    ExportItem,
    SkippedItems,
    SkipReason,
    SourceFile,
)
from aforesaid.models.json import Json

Record = Mapping[str, Json]

HELD = 1 << 26  # characters of messages
ACTIVITY = {"header": str, "title": str, "time": str}
PRODUCTS = ("gemini", "bard")
PROMPTED = re.compile(r"(?:Prompted|Said|Asked)\s+")
NOT_PROMPTS = ("Used ", "Created ", "Gave feedback", "Selected preferred", "Shared ", "Deleted ")
_CHAT = re.compile(r"https://gemini\.google\.com/(?:u/\d+/)?(?:app|gem/[^/]+)/([0-9a-f]{8,64})")
_BREAK = re.compile(r"<br\s*/?>|</(?:p|div|li|h[1-6]|tr|pre|ul|ol|table|blockquote)>", re.IGNORECASE)
_ITEM = re.compile(r"<li[^>]{0,500}>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{1,5000}>")


def knows(record: Record) -> bool:
    products = [record.get("header"), *parsing.as_list(record.get("products"))]
    named = any(word in str(product).lower() for product in products for word in PRODUCTS)
    return named and parsing.matches_fields(record, ACTIVITY)


def chats(elements: Iterator[Json], _file: SourceFile) -> Iterator[ExportItem]:
    """A conversation is a chat that the activity names, or else a day. The file has the newest first, so its messages
    are held in memory, up to a limit."""
    held: dict[str, list[ExportedMessage]] = {}
    size = 0
    for element in elements:
        if not isinstance(element, dict) or not knows(element):
            yield SkippedItems(SkipReason.UNKNOWN)
            continue
        messages = list(_messages(element))
        if not messages:
            yield SkippedItems(SkipReason.NOTICE)
        held.setdefault(_chat_id(element), []).extend(reversed(messages))
        size += sum(len(message.content) for message in messages)
        if size > HELD:
            yield from _oldest_first(held)
            held, size = {}, 0
    yield from _oldest_first(held)


def _oldest_first(held: dict[str, list[ExportedMessage]]) -> Iterator[ExportedChat]:
    for chat, messages in reversed(held.items()):
        if messages:
            yield ExportedChat(chat, "gemini", messages[::-1], begun=messages[-1].at)


def _chat_id(record: Record) -> str:
    urls = [parsing.as_object(detail).get("url") for detail in parsing.as_list(record.get("details"))]
    found = {match[1] for url in [record.get("titleUrl"), *urls] if (match := _CHAT.match(str(url)))}
    return f"gemini:{found.pop() if len(found) == 1 else str(record.get('time'))[:10]}"


def _messages(activity: Record) -> Iterator[ExportedMessage]:
    at, title = parsing.parse_time(activity["time"]), activity["title"]
    answers = [parsing.as_object(item).get("html") for item in parsing.as_list(activity.get("safeHtmlItem"))]
    answer = "\n\n".join(plain_text(text) for text in answers if isinstance(text, str)).strip()
    if not answer and (title.startswith(NOT_PROMPTS) or not PROMPTED.match(title)):
        return
    files = [name for name in parsing.as_list(activity.get("attachedFiles")) if isinstance(name, str)]
    prompt = PROMPTED.sub("", title, count=1)
    for role, text in (("user", prompt), ("assistant", answer)):
        if text.strip():
            more = {"attachments": files} if files and role == "user" else {}
            yield ExportedMessage(
                role, text, parsing.stable_id("gemini", activity["time"], role, text), at, metadata=more
            )


def plain_text(source: str) -> str:
    """The text of an answer in HTML, with a line for each block."""
    lines = _TAG.sub("", _ITEM.sub("- ", _BREAK.sub("\n", source)))
    return re.sub(r"\n{3,}", "\n\n", html.unescape(lines)).strip()
