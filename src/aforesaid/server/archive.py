"""Packs a folder into a ZIP file, and unpacks an upload: never outside its folder, never more than the limit."""

from __future__ import annotations

import os
import re
import shutil
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from aforesaid.access.problems import PayloadTooLarge
from aforesaid.errors import InvalidInput
from aforesaid.models.archive import BoundedReader, unpack_limit

Progress = Callable[[int, int], None]  # done, total

CHUNK_BYTES = 1 << 16
FILE_NAME = re.compile(r"[a-z_]{1,40}\.json")  # the files of an export
MAX_FILES = 40
MAX_READ = 1 << 20  # bytes of the ZIP directory; that of an export has less than 4,000
ENCRYPTED = 0x1
NOT_ZIP = (BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OverflowError)


def pack(folder: Path, out: IO[bytes]) -> None:
    """Moves the folder's files into a ZIP file. The same files give the same bytes."""
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            info = ZipInfo(file.name)
            info.compress_type, info.file_size = ZIP_DEFLATED, file.stat().st_size
            with file.open("rb") as source, archive.open(info, "w") as target:
                shutil.copyfileobj(source, target, CHUNK_BYTES)
            file.unlink()


def chunks(file: IO[bytes]) -> Iterator[bytes]:
    """Yields a file from its beginning, and closes it at the end or when the reader stops."""
    with file:
        file.seek(0)
        while chunk := file.read(CHUNK_BYTES):
            yield chunk


def unpack(upload: IO[bytes], folder: Path, most: int, progress: Progress = lambda _done, _total: None) -> None:
    """Unpacks at most `most` bytes into `folder`, counted while they are unpacked; less if the archive is small."""
    most = min(most, unpack_limit(upload.seek(0, os.SEEK_END)))
    try:
        with ZipFile(BoundedReader(upload, MAX_READ)) as archive:
            for info in checked_entries(archive.infolist()):
                with archive.open(info) as source, (folder / info.filename).open("xb") as target:
                    most -= copy(source, target, most, progress)
    except NOT_ZIP as exc:
        raise InvalidInput(f"the body is not a readable ZIP file: {exc}") from exc


def checked_entries(entries: list[ZipInfo]) -> list[ZipInfo]:
    if len(entries) > MAX_FILES or len({info.filename for info in entries}) < len(entries):
        raise InvalidInput("the archive is not an exported space: it has too many files, or one twice")
    for info in entries:
        if FILE_NAME.fullmatch(info.filename) is None:
            raise InvalidInput("the archive has other files than an export; remove folders and paths")
        if info.flag_bits & ENCRYPTED or info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise InvalidInput("the archive is encrypted or its compression is not supported; use deflate")
    return entries


def copy(source: IO[bytes], target: IO[bytes], most: int, progress: Progress) -> int:
    size = 0
    while chunk := source.read(CHUNK_BYTES):
        size += len(chunk)
        if size > most:
            raise PayloadTooLarge("the archive is too large after unpacking, or unpacks to far more than its own size")
        progress(0, size)
        target.write(chunk)
    return size
