"""Detects the format of an export and reads it as a stream of conversations."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path, PurePosixPath

from aforesaid.errors import InvalidInput
from aforesaid.interop.chat_import import chat, chatgpt, claude, langchain, mem0
from aforesaid.interop.chat_import.exports import ExportItem, SkippedItems, SkipReason
from aforesaid.interop.chat_import.files import ExportDocument, documents, errors_as_invalid_input
from aforesaid.interop.json_stream import elements, repair
from aforesaid.models.json import Json
from aforesaid.models.transfer import ImportFormat

Record = Mapping[str, Json]

PARSERS: Mapping[ImportFormat, Callable[[Iterator[Json], str], Iterator[ExportItem]]] = {
    "chatgpt": chatgpt.chats,
    "claude": claude.chats,
    "chat": chat.chats,
    "langchain": langchain.chats,
    "mem0": mem0.chats,
}


def detect_format(element: Json) -> ImportFormat | None:
    if not isinstance(element, dict):
        return None
    return next((format for format, knows in DETECTORS.items() if knows(element)), None)


def _is_langchain(element: Record) -> bool:
    messages = element.get("messages")
    return langchain.is_message(element) or (isinstance(messages, list) and any(map(langchain.is_message, messages)))


def _is_chat(element: Record) -> bool:
    return isinstance(element.get("messages"), list) or (isinstance(element.get("role"), str) and "content" in element)


DETECTORS: Mapping[ImportFormat, Callable[[Record], bool]] = {
    "chatgpt": lambda element: isinstance(element.get("mapping"), dict),
    "claude": lambda element: bool({"chat_messages", "conversations_memory", "project_memories"} & element.keys()),
    "langchain": _is_langchain,
    "chat": _is_chat,
    "mem0": lambda element: isinstance(element.get("results"), list) or isinstance(element.get("memory"), str),
}


MAX_UNKNOWN = 100_000  # records of a file that are not recognised; more of them are not an export
RECORDS_TO_DETECT = 20  # one of the first records of a file must be known


def read_export(path: Path, format: ImportFormat | None, name: str | None = None) -> Iterator[ExportItem]:
    """The items of the export at `path`, in order. Raises InvalidInput if a file cannot be read to its end."""
    for document in documents(path, name):
        if isinstance(document, SkippedItems):
            yield document
        else:
            yield from _limit_unknown(_with_origin(_parse_document(document, format)), document.name)


def _parse_document(document: ExportDocument, format: ImportFormat | None) -> Iterator[ExportItem]:
    values = _values(document)
    read: list[Json] = []
    for value in islice(values, RECORDS_TO_DETECT) if format is None else ():
        read.append(value)
        format = detect_format(value)
        if format is not None:
            break
    rest = chain(read, values)
    if format is None:
        yield from (SkippedItems(SkipReason.UNKNOWN) for _ in rest)
    else:
        yield from PARSERS[format](rest, repair(PurePosixPath(document.name).stem))


def _limit_unknown(items: Iterator[ExportItem], name: str) -> Iterator[ExportItem]:
    """Raises InvalidInput after too many records that are not recognised: reading the rest would only take time."""
    unknown = 0
    for item in items:
        if isinstance(item, SkippedItems) and item.reason == SkipReason.UNKNOWN:
            unknown += item.count
            if unknown > MAX_UNKNOWN:
                raise InvalidInput(f"{name} has more than {MAX_UNKNOWN} records that are not part of a known export")
        yield item


def _with_origin(items: Iterator[ExportItem]) -> Iterator[ExportItem]:
    """Marks each conversation and each message as imported, with the source."""
    for item in items:
        if isinstance(item, SkippedItems):
            yield item
            continue
        origin = {"imported": True, "source": item.source}
        messages = [replace(message, metadata={**message.metadata, **origin}) for message in item.messages]
        yield replace(item, messages=messages, metadata={**item.metadata, **origin})


def _values(document: ExportDocument) -> Iterator[Json]:
    text = io.TextIOWrapper(document.file, "utf-8-sig", newline="")
    try:
        with errors_as_invalid_input(document.name):
            yield from elements(text)
    except UnicodeDecodeError as exc:
        raise InvalidInput(f"{document.name} is not UTF-8 text at byte {exc.start}; convert it first") from exc
    except InvalidInput:
        raise
    except ValueError as exc:
        raise InvalidInput(f"{document.name} is not valid JSON: {exc}") from exc
    finally:
        text.detach()
