"""The files of an export: one file, a folder, or a ZIP archive that may hold archives.

Nothing is unpacked to a path that an archive names. The unpacked size is limited."""

from __future__ import annotations

import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from shutil import copyfileobj
from typing import IO, cast

from aforesaid.errors import InvalidInput
from aforesaid.interop.chat_import.exports import SkippedItems, SkipReason
from aforesaid.models.archive import BoundedReader, unpack_limit

ARCHIVES = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")  # the first bytes of a ZIP file
MAX_DIRECTORY = 1 << 23  # bytes of the directory of an archive, which then has at most 170,000 files
MAX_FILES = 10_000  # that are read from one archive
MAX_ARCHIVE_DEPTH = 3  # nested archives

_KNOWN = re.compile(
    r"(?:conversations|memories)(?:[-_]\d+)?\.(?:json|zip)"
    r"|rollout-.*\.jsonl|logs\.db|_chat\.txt|.*WhatsApp.*\.(?:txt|zip)",
    re.IGNORECASE,
)
_READABLE = (".json", ".jsonl", ".ndjson", ".zip", ".af")
_SLACK = ("channels.json", "groups.json", "dms.json", "mpims.json")  # with `users.json`


@dataclass(frozen=True, slots=True)
class ExportDocument:
    """An open file of an export, its name, and its path unless it is in an archive."""

    name: str
    file: IO[bytes]
    path: Path | None = None


class UnpackLimit:
    """The bytes that an archive, with nested archives, may still unpack to."""

    def __init__(self, size: int) -> None:
        self._left = unpack_limit(size)

    def take(self, infos: Sequence[zipfile.ZipInfo], name: str) -> None:
        self._left -= sum(info.file_size for info in infos)
        if len(infos) > MAX_FILES:
            raise InvalidInput(f"{name} has {len(infos)} files to import, more than {MAX_FILES}; import it in parts")
        if self._left < 0:
            raise InvalidInput(f"{name} unpacks to far more than an export of its size; it is not read")


def documents(path: Path, name: str | None = None) -> Iterator[ExportDocument | SkippedItems]:
    """The files with conversations or memories, open one at a time, in the order of their names. If no file has the
    name of an export, every file with JSON is read. `name` replaces the name of a single file."""
    if path.is_dir():
        yield from _folder(path)
    elif path.is_file():
        with path.open("rb") as file:
            document = ExportDocument(name or path.name, file, path)
            yield from _open_document(document, UnpackLimit(path.stat().st_size), 0)
    else:
        raise InvalidInput(f"there is no file {str(path)!r} to import")


def _folder(path: Path) -> Iterator[ExportDocument | SkippedItems]:
    files = {file.relative_to(path).as_posix(): file for file in sorted(path.rglob("*")) if file.is_file()}
    chosen, others = choose_files(list(files))
    _require_files(chosen, str(path))
    for name in chosen:
        yield from documents(files[name], name)
    if others:
        yield SkippedItems(SkipReason.OTHER_FILE, others)


def _open_document(document: ExportDocument, limit: UnpackLimit, depth: int) -> Iterator[ExportDocument | SkippedItems]:
    begin = document.file.read(4)
    document.file.seek(0)
    if begin in ARCHIVES:
        yield from _archive(document, limit, depth)
    else:
        yield document


def _archive(document: ExportDocument, limit: UnpackLimit, depth: int) -> Iterator[ExportDocument | SkippedItems]:
    if depth >= MAX_ARCHIVE_DEPTH:
        raise InvalidInput(f"{document.name} is inside more than {MAX_ARCHIVE_DEPTH} nested archives; unpack it first")
    with errors_as_invalid_input(document.name), zipfile.ZipFile(_bounded(document.file)) as archive:
        infos = {info.filename: info for info in archive.infolist() if not info.is_dir()}
        chosen, others = choose_files(sorted(infos))
        if depth == 0:
            _require_files(chosen, document.name)
        limit.take([infos[name] for name in chosen], document.name)
        for name in chosen:
            with errors_as_invalid_input(name), archive.open(infos[name]) as file, _seekable(file) as seekable:
                yield from _open_document(ExportDocument(name, seekable), limit, depth + 1)
    if others:
        yield SkippedItems(SkipReason.OTHER_FILE, others)


def _bounded(file: IO[bytes]) -> IO[bytes]:
    return cast("IO[bytes]", BoundedReader(file, MAX_DIRECTORY))  # has the methods that `zipfile` calls


@contextmanager
def _seekable(file: IO[bytes]) -> Iterator[IO[bytes]]:
    """The file. An archive is copied, because it is read from its end."""
    begin = file.read(4)
    file.seek(0)
    if begin not in ARCHIVES:
        yield file
        return
    with tempfile.TemporaryFile() as copy:
        copyfileobj(file, copy)
        copy.seek(0)
        yield copy


@contextmanager
def errors_as_invalid_input(name: str) -> Iterator[None]:
    """Raises InvalidInput with the name of a file that cannot be read."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError) as exc:
        raise InvalidInput(f"{name} is damaged or not complete: {exc}; download it again") from exc
    except (NotImplementedError, RuntimeError) as exc:  # encrypted, or an unsupported compression
        raise InvalidInput(f"{name} cannot be unpacked: {exc}") from exc


def choose_files(names: Sequence[str]) -> tuple[list[str], int]:
    """The files to read, those of people and channels of Slack first, and the number of others. Hidden files of the
    operating system are ignored."""
    visible = [name for name in names if not _is_system_file(PurePosixPath(name))]
    chosen = [name for name in visible if _is_export_name(PurePosixPath(name))]
    slack = _is_slack(visible)
    if slack or not chosen:
        chosen = [name for name in visible if name.lower().endswith(_READABLE)]
    if slack:
        chosen.sort(key=lambda name: PurePosixPath(name).name not in ("users.json", *_SLACK))
    return chosen, len(visible) - len(chosen)


def _is_slack(names: Sequence[str]) -> bool:
    found = {PurePosixPath(name).name for name in names}
    return "users.json" in found and not found.isdisjoint(_SLACK)


def _require_files(chosen: Sequence[str], name: str) -> None:
    if not chosen:
        raise InvalidInput(f"{name} has no file to import: none of its names ends with {', '.join(_READABLE)}")


def _is_export_name(path: PurePosixPath) -> bool:
    folder = path.parent.name.lower()
    return _KNOWN.fullmatch(path.name) is not None or (
        path.suffix == ".json" and (folder == "memories" or "gemini" in folder)
    )


def _is_system_file(path: PurePosixPath) -> bool:
    return "__MACOSX" in path.parts or path.name.startswith(".")
