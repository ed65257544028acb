"""Detects the format of an export and reads it as a stream of conversations."""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from shutil import copyfileobj

from aforesaid.errors import InvalidInput
from aforesaid.interop.chat_import import llm_logs, telegram, whatsapp
from aforesaid.interop.chat_import.exports import ExportItem, SkippedItems, SkipReason, SourceFile
from aforesaid.interop.chat_import.files import ExportDocument, documents, errors_as_invalid_input
from aforesaid.interop.chat_import.formats import JSON_FORMATS, StreamedFormat, detect_format
from aforesaid.interop.json_stream import CutOffValue, JsonPath, elements, inner_values, repair
from aforesaid.models.json import Json
from aforesaid.models.transfer import ImportFormat
from aforesaid.temporary_files import TemporaryFiles

APPENDED = ("claude-code", "codex")  # a running program appends to the file, so its last line may be cut off

MAX_LINE = 1 << 20  # characters; a longer line is read in parts
MAX_UNKNOWN = 100_000  # records of a file that are not recognised; more of them are not an export
RECORDS_TO_DETECT = 20  # one of the first records of a file, or of its messages, must be known


def read_export(
    path: Path,
    format: ImportFormat | None,
    name: str | None = None,
    me: str | None = None,
    temporary: TemporaryFiles | None = None,
) -> Iterator[ExportItem]:
    """The items of the export at `path`, in order. Raises InvalidInput if a file cannot be read to its end."""
    names: dict[str, str] = {}
    files = temporary or TemporaryFiles(":memory:")
    for document in documents(path, name):
        if isinstance(document, SkippedItems):
            yield document
        else:
            file = SourceFile(document.name, me, names)
            if document.file.read(len(llm_logs.HEADER)) == llm_logs.HEADER:
                items = _database(document, format, file, files)
            else:
                items = _parse_document(document, format, file)
            yield from _limit_unknown(_with_origin(items), document.name)


def _parse_document(document: ExportDocument, format: ImportFormat | None, file: SourceFile) -> Iterator[ExportItem]:
    if format == "llm":
        return iter([SkippedItems(SkipReason.UNKNOWN)])
    found = format or _detect(document)
    if found == "whatsapp":
        return whatsapp.chats(lambda: _lines(document), file)
    return _parse_json(document, found, file)


def _detect(document: ExportDocument) -> ImportFormat | None:
    with closing(_lines(document)) as lines:
        if whatsapp.knows(islice(lines, RECORDS_TO_DETECT)):
            return "whatsapp"
    with closing(_first_records(document)) as records:
        return next(filter(None, map(detect_format, islice(records, RECORDS_TO_DETECT))), None)


def _parse_json(document: ExportDocument, name: ImportFormat | None, file: SourceFile) -> Iterator[ExportItem]:
    format = None if name is None else JSON_FORMATS[name]
    with _text(document) as text:
        if isinstance(format, StreamedFormat):
            for values in inner_values(text, format.opens):
                yield from format.chats(values, file)
        elif format is None:
            yield from (SkippedItems(SkipReason.UNKNOWN) for _ in elements(text))
        elif name in APPENDED:
            cut_off: list[SkippedItems] = []
            yield from format.chats(_complete_lines(text, cut_off), file)
            yield from cut_off
        else:
            yield from format.chats(elements(text), file)


def _complete_lines(text: io.TextIOWrapper, cut_off: list[SkippedItems]) -> Iterator[Json]:
    try:
        yield from elements(text)
    except CutOffValue:
        cut_off.append(SkippedItems(SkipReason.CUT_OFF))


def _first_records(document: ExportDocument) -> Generator[Json]:
    """The records of a file. Of a long list of messages in one record, only the first messages are read."""
    with _text(document) as text:
        for values in inner_values(text, _opens_long_lists):
            record: dict[str, Json] = {}
            for path, value in values:
                if not path or isinstance(path[0], int):
                    yield value
                elif len(path) == 1:
                    record[path[0]] = value
                elif path[0] == "messages":
                    record.setdefault("messages", []).append(value)
                elif path[1] == "list":
                    record[path[0]] = {"list": []}
                if len(path) > 2 or path[1:] == (RECORDS_TO_DETECT,):
                    yield record
                    return
            yield record


def _opens_long_lists(path: JsonPath) -> bool:
    return path in ((), ("messages",)) or (path[0] in telegram.CHAT_LISTS and len(path) <= 3)


def _database(
    document: ExportDocument, format: ImportFormat | None, file: SourceFile, temporary: TemporaryFiles
) -> Iterator[ExportItem]:
    if format not in (None, "llm"):
        raise InvalidInput(f"{document.name} is a SQLite database, not an export of the format {format}")
    try:
        with _path_of(document, temporary) as path:
            yield from llm_logs.chats(path, file)
    except (sqlite3.Error, UnicodeDecodeError) as exc:  # the text of an error may quote damaged bytes
        raise InvalidInput(f"{document.name} cannot be read as a SQLite database: {exc}") from exc


@contextmanager
def _path_of(document: ExportDocument, temporary: TemporaryFiles) -> Iterator[Path]:
    """The path of a file; a file in an archive is copied."""
    if document.path is not None:
        yield document.path
        return
    with temporary.folder() as folder:
        document.file.seek(0)
        with (folder / "logs.db").open("wb") as copy:
            copyfileobj(document.file, copy)
        yield folder / "logs.db"


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


def _lines(document: ExportDocument) -> Generator[str]:
    with _text(document) as text:
        while line := text.readline(MAX_LINE):
            yield repair(line.rstrip("\r\n"))


@contextmanager
def _text(document: ExportDocument) -> Iterator[io.TextIOWrapper]:
    """The text of a file from its beginning. Errors name the file."""
    document.file.seek(0)
    text = io.TextIOWrapper(document.file, "utf-8-sig", newline="")
    try:
        with errors_as_invalid_input(document.name):
            yield text
    except UnicodeDecodeError as exc:
        raise InvalidInput(f"{document.name} is not UTF-8 text at byte {exc.start}; convert it first") from exc
    except InvalidInput:
        raise
    except ValueError as exc:
        raise InvalidInput(f"{document.name} is not valid JSON: {exc}") from exc
    finally:
        if not document.file.closed:  # it is, if the reader was left before its end
            text.detach()
