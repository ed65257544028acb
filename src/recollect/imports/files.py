"""The files of an export: one file, a folder, or an archive, with archives in it. Nothing is unpacked by its name."""

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

from recollect.errors import InvalidInput
from recollect.imports.exported import OTHER_FILE, Aside

ARCHIVES = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")  # how a ZIP file begins
ALWAYS = 1 << 30  # bytes that any archive may unpack to
SWELLING = 100  # times an archive's own size that a larger one may
DEEPEST = 3  # archives within each other

_KNOWN = re.compile(r"(?:conversations|memories)(?:[-_]\d+)?\.(?:json|zip)", re.IGNORECASE)
_READABLE = (".json", ".jsonl", ".ndjson", ".zip")


@dataclass(frozen=True, slots=True)
class Document:
    """An open file of an export, and what it is called."""

    name: str
    file: IO[bytes]


class Allowance:
    """How many bytes an archive, with those in it, may still unpack to."""

    def __init__(self, size: int) -> None:
        self._left = max(ALWAYS, size * SWELLING)

    def take(self, infos: Sequence[zipfile.ZipInfo], name: str) -> None:
        self._left -= sum(info.file_size for info in infos)
        if self._left < 0:
            raise InvalidInput(f"{name} unpacks to far more than an export of its size has; it is not read")


def documents(path: Path, name: str | None = None) -> Iterator[Document | Aside]:
    """The files that hold conversations or memories, open one at a time, in the order of their names. Where none is
    called like one of an export's, every JSON file is read. A single file goes by the `name` that is given."""
    if path.is_dir():
        yield from _folder(path)
    elif path.is_file():
        with path.open("rb") as file:
            yield from _opened(Document(name or path.name, file), Allowance(path.stat().st_size), 0)
    else:
        raise InvalidInput(f"there is no file {str(path)!r} to import")


def _folder(path: Path) -> Iterator[Document | Aside]:
    found = {str(one.relative_to(path).as_posix()): one for one in sorted(path.rglob("*")) if one.is_file()}
    chosen, others = chosen_of(list(found))
    _refuse_nothing(chosen, str(path))
    for name in chosen:
        with found[name].open("rb") as file:
            yield from _opened(Document(name, file), Allowance(found[name].stat().st_size), 0)
    if others:
        yield Aside(OTHER_FILE, others)


def _opened(document: Document, allowance: Allowance, depth: int) -> Iterator[Document | Aside]:
    begin = document.file.read(4)
    document.file.seek(0)
    if begin in ARCHIVES:
        yield from _archive(document, allowance, depth)
    else:
        yield document


def _archive(document: Document, allowance: Allowance, depth: int) -> Iterator[Document | Aside]:
    if depth >= DEEPEST:
        raise InvalidInput(f"{document.name} lies in more than {DEEPEST} archives within each other; unpack it first")
    with readable(document.name), zipfile.ZipFile(document.file) as archive:
        infos = {info.filename: info for info in archive.infolist() if not info.is_dir()}
        chosen, others = chosen_of(sorted(infos))
        if depth == 0:
            _refuse_nothing(chosen, document.name)
        allowance.take([infos[name] for name in chosen], document.name)
        for name in chosen:
            with readable(name), archive.open(infos[name]) as file, _anywhere(file) as found:
                yield from _opened(Document(name, found), allowance, depth + 1)
    if others:
        yield Aside(OTHER_FILE, others)


@contextmanager
def _anywhere(file: IO[bytes]) -> Iterator[IO[bytes]]:
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
def readable(name: str) -> Iterator[None]:
    """Says of what cannot be read which file it is."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError) as exc:
        raise InvalidInput(f"{name} is damaged or not complete: {exc}; download it again") from exc
    except (NotImplementedError, RuntimeError) as exc:  # how zipfile says: encrypted, or packed in another way
        raise InvalidInput(f"{name} cannot be unpacked: {exc}") from exc


def chosen_of(names: Sequence[str]) -> tuple[list[str], int]:
    """The files to read, and how many others there are. What a system puts beside them is passed over."""
    own = [name for name in names if not _litter(PurePosixPath(name))]
    chosen = [name for name in own if _known(PurePosixPath(name))]
    if not chosen:
        chosen = [name for name in own if name.lower().endswith(_READABLE)]
    return chosen, len(own) - len(chosen)


def _refuse_nothing(chosen: Sequence[str], name: str) -> None:
    if not chosen:
        raise InvalidInput(
            f"{name} holds no file that could be read: none of its names ends with {', '.join(_READABLE)}"
        )


def _known(path: PurePosixPath) -> bool:
    return _KNOWN.fullmatch(path.name) is not None or (path.parent.name == "memories" and path.suffix == ".json")


def _litter(path: PurePosixPath) -> bool:
    return "__MACOSX" in path.parts or path.name.startswith(".")
