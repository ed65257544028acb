"""An exported folder as one ZIP file, and back into a folder that it cannot leave or fill without end."""

from __future__ import annotations

import os
import re
import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from recollect.access.refusal import TooLarge
from recollect.errors import InvalidInput

PIECE = 1 << 16
PLAIN = re.compile(r"[a-z_]{1,40}\.json")  # how the files of an export are called
MOST_FILES = 40
LONGEST_READ = 1 << 20  # bytes of an archive's directory; ours has less than four thousand
ENCRYPTED = 0x1
NOT_ZIP = (BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OverflowError)


def pack(folder: Path, out: IO[bytes]) -> None:
    """Writes the folder's files into `out`, the same bytes for the same files; each goes as soon as it is packed."""
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            info = ZipInfo(file.name)
            info.compress_type, info.file_size = ZIP_DEFLATED, file.stat().st_size
            with file.open("rb") as source, archive.open(info, "w") as target:
                shutil.copyfileobj(source, target, PIECE)
            file.unlink()


def pieces(file: IO[bytes]) -> Iterator[bytes]:
    """A file from its beginning, closed at the end or when nobody wants more of it."""
    with file:
        file.seek(0)
        while piece := file.read(PIECE):
            yield piece


def unpack(upload: IO[bytes], folder: Path, most: int) -> None:
    """Puts the archive's files into `folder`: plain names only, `most` bytes at most, counted as they come out."""
    try:
        with ZipFile(Sparing(upload)) as archive:
            for info in accepted(archive.infolist()):
                with archive.open(info) as source, (folder / info.filename).open("xb") as target:
                    most -= copy(source, target, most)
    except NOT_ZIP as exc:
        raise InvalidInput(f"the body is not a ZIP file that can be read: {exc}") from exc


def accepted(found: list[ZipInfo]) -> list[ZipInfo]:
    names = [info.filename for info in found]
    if len(found) > MOST_FILES or len(set(names)) < len(names):
        raise InvalidInput("the archive is not an exported space: it has too many files, or one twice")
    for info in found:
        if PLAIN.fullmatch(info.filename) is None:
            raise InvalidInput("the archive may have the files of an export and nothing else: no folders, no paths")
        if info.flag_bits & ENCRYPTED or info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise InvalidInput("the archive is encrypted or packed in a way that is not taken; use deflate")
    return found


def copy(source: IO[bytes], target: IO[bytes], most: int) -> int:
    size = 0
    while piece := source.read(PIECE):
        size += len(piece)
        if size > most:
            raise TooLarge("the archive is too large once it is unpacked")
        target.write(piece)
    return size


class Sparing:
    """A file that is read in small parts, or not at all: a forged directory of gigabytes is not taken into memory."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def read(self, size: int = -1) -> bytes:
        found = self._file.read(min(size, LONGEST_READ + 1) if size >= 0 else LONGEST_READ + 1)
        if len(found) > LONGEST_READ:
            raise BadZipFile("its directory is too large")
        return found

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return True
