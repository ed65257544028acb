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
from typing import IO

from aforesaid.errors import InvalidInput
from aforesaid.interop.chat_import.exported_chat import SkippedItems, SkipReason

ARCHIVES = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")  # how a ZIP file begins
MIN_UNPACK_LIMIT = 1 << 30  # bytes that any archive may unpack to
MAX_UNPACK_RATIO = 100  # times an archive's own size that a larger one may
MAX_ARCHIVE_DEPTH = 3  # archives within each other

_KNOWN = re.compile(r"(?:conversations|memories)(?:[-_]\d+)?\.(?:json|zip)", re.IGNORECASE)
_READABLE = (".json", ".jsonl", ".ndjson", ".zip")


@dataclass(frozen=True, slots=True)
class ExportDocument:
    """An open file of an export, and its name."""

    name: str
    file: IO[bytes]


class UnpackLimit:
    """The bytes that an archive, with nested archives, may still unpack to."""

    def __init__(self, size: int) -> None:
        self._left = max(MIN_UNPACK_LIMIT, size * MAX_UNPACK_RATIO)

    def take(self, infos: Sequence[zipfile.ZipInfo], name: str) -> None:
        self._left -= sum(info.file_size for info in infos)
        if self._left < 0:
            raise InvalidInput(f"{name} unpacks to far more than an export of its size has; it is not read")


def documents(path: Path, name: str | None = None) -> Iterator[ExportDocument | SkippedItems]:
    """The files that hold conversations or memories, open one at a time, in the order of their names. Where none is
    called like one of an export's, every JSON file is read. A single file goes by the `name` that is given."""
    if path.is_dir():
        yield from _folder(path)
    elif path.is_file():
        with path.open("rb") as file:
            yield from _open_document(ExportDocument(name or path.name, file), UnpackLimit(path.stat().st_size), 0)
    else:
        raise InvalidInput(f"there is no file {str(path)!r} to import")


def _folder(path: Path) -> Iterator[ExportDocument | SkippedItems]:
    found = {str(one.relative_to(path).as_posix()): one for one in sorted(path.rglob("*")) if one.is_file()}
    chosen, others = choose_files(list(found))
    _require_files(chosen, str(path))
    for name in chosen:
        with found[name].open("rb") as file:
            yield from _open_document(ExportDocument(name, file), UnpackLimit(found[name].stat().st_size), 0)
    if others:
        yield SkippedItems(SkipReason.OTHER_FILE, others)


def _open_document(
    document: ExportDocument, allowance: UnpackLimit, depth: int
) -> Iterator[ExportDocument | SkippedItems]:
    begin = document.file.read(4)
    document.file.seek(0)
    if begin in ARCHIVES:
        yield from _archive(document, allowance, depth)
    else:
        yield document


def _archive(document: ExportDocument, allowance: UnpackLimit, depth: int) -> Iterator[ExportDocument | SkippedItems]:
    if depth >= MAX_ARCHIVE_DEPTH:
        raise InvalidInput(
            f"{document.name} lies in more than {MAX_ARCHIVE_DEPTH} archives within each other; unpack it first"
        )
    with errors_as_invalid_input(document.name), zipfile.ZipFile(document.file) as archive:
        infos = {info.filename: info for info in archive.infolist() if not info.is_dir()}
        chosen, others = choose_files(sorted(infos))
        if depth == 0:
            _require_files(chosen, document.name)
        allowance.take([infos[name] for name in chosen], document.name)
        for name in chosen:
            with errors_as_invalid_input(name), archive.open(infos[name]) as file, _seekable(file) as found:
                yield from _open_document(ExportDocument(name, found), allowance, depth + 1)
    if others:
        yield SkippedItems(SkipReason.OTHER_FILE, others)


@contextmanager
def _seekable(file: IO[bytes]) -> Iterator[IO[bytes]]:
    """The file; an archive is copied, since it is read from its end."""
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
    """Says of what cannot be read which file it is."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError) as exc:
        raise InvalidInput(f"{name} is damaged or not complete: {exc}; download it again") from exc
    except (NotImplementedError, RuntimeError) as exc:  # how zipfile says: encrypted, or packed in another way
        raise InvalidInput(f"{name} cannot be unpacked: {exc}") from exc


def choose_files(names: Sequence[str]) -> tuple[list[str], int]:
    """The files to read, and how many others there are. What a system puts beside them is passed over."""
    own = [name for name in names if not _is_system_file(PurePosixPath(name))]
    chosen = [name for name in own if _is_export_name(PurePosixPath(name))]
    if not chosen:
        chosen = [name for name in own if name.lower().endswith(_READABLE)]
    return chosen, len(own) - len(chosen)


def _require_files(chosen: Sequence[str], name: str) -> None:
    if not chosen:
        raise InvalidInput(
            f"{name} holds no file that could be read: none of its names ends with {', '.join(_READABLE)}"
        )


def _is_export_name(path: PurePosixPath) -> bool:
    return _KNOWN.fullmatch(path.name) is not None or (path.parent.name == "memories" and path.suffix == ".json")


def _is_system_file(path: PurePosixPath) -> bool:
    return "__MACOSX" in path.parts or path.name.startswith(".")
