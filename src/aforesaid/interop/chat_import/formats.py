"""The formats of JSON exports: how each is recognised and parsed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from aforesaid.interop.chat_import import (
    chat,
    chatgpt,
    claude,
    claude_code,
    codex,
    discord,
    gemini,
    langchain,
    langmem,
    letta,
    librechat,
    mem0,
    openwebui,
    pydantic_ai,
    renamed_fields,
    slack,
    telegram,
)
from aforesaid.interop.chat_import.exports import ExportItem, SourceFile
from aforesaid.interop.json_stream import JsonPath
from aforesaid.models.json import Json
from aforesaid.models.transfer import ImportFormat

Record = Mapping[str, Json]

Recognizer = Callable[[Record], bool]


@dataclass(frozen=True, slots=True)
class RecordFormat:
    """A format of JSON records. `knows` needs at least two of its fields: a wrong guess would import nothing."""

    knows: Recognizer
    chats: Callable[[Iterator[Json], SourceFile], Iterator[ExportItem]]


@dataclass(frozen=True, slots=True)
class StreamedFormat:
    """A format of one large object: the values inside it are read one at a time."""

    knows: Recognizer
    chats: Callable[[Iterator[tuple[JsonPath, Json]], SourceFile], Iterator[ExportItem]]
    opens: Callable[[JsonPath], bool]


# In the order in which they are tried: `chat` would accept others.
JSON_FORMATS: Mapping[ImportFormat, RecordFormat | StreamedFormat] = {
    "chatgpt": RecordFormat(chatgpt.knows, chatgpt.chats),
    "claude": RecordFormat(claude.knows, claude.chats),
    "claude-code": RecordFormat(claude_code.knows, claude_code.chats),
    "codex": RecordFormat(codex.knows, codex.chats),
    "openwebui": RecordFormat(openwebui.knows, openwebui.chats),
    "librechat": RecordFormat(librechat.knows, librechat.chats),
    "discord": StreamedFormat(discord.knows, discord.chats, discord.opens),
    "telegram": StreamedFormat(telegram.knows, telegram.chats, telegram.opens),
    "letta": RecordFormat(letta.knows, letta.chats),
    "zep": RecordFormat(renamed_fields.knows_zep, renamed_fields.zep_chats),
    "sharegpt": RecordFormat(renamed_fields.SHAREGPT.knows, renamed_fields.sharegpt_chats),
    "gemini": RecordFormat(gemini.knows, gemini.chats),
    "pydantic-ai": RecordFormat(pydantic_ai.knows, pydantic_ai.chats),
    "langchain": RecordFormat(langchain.knows, langchain.chats),
    "langmem": RecordFormat(langmem.knows, langmem.chats),
    "slack": RecordFormat(slack.knows, slack.chats),
    "chat": RecordFormat(chat.knows, chat.chats),
    "mem0": RecordFormat(mem0.knows, mem0.chats),
}


def detect_format(element: Json) -> ImportFormat | None:
    if not isinstance(element, dict):
        return None
    return next((name for name, format in JSON_FORMATS.items() if format.knows(element)), None)
