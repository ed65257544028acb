"""An export, read as a stream: what is in it, one conversation after the other."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path, PurePosixPath

from recollect.errors import InvalidInput
from recollect.imports.detect import PARSERS, detected
from recollect.imports.exported import UNKNOWN, Aside, Found
from recollect.imports.files import Document, documents, readable
from recollect.imports.mend import mended
from recollect.imports.stream import elements
from recollect.models import ImportFormat, Json

LOOKED_AT = 20  # records of a file in which one must be known


def read(path: Path, format: ImportFormat | None, name: str | None = None) -> Iterator[Found]:
    """What the export at `path` holds, in its order. InvalidInput where a file cannot be read to its end."""
    for document in documents(path, name):
        if isinstance(document, Aside):
            yield document
        else:
            yield from _marked(_parsed(document, format))


def _parsed(document: Document, format: ImportFormat | None) -> Iterator[Found]:
    values = _values(document)
    begin: list[Json] = []
    known = format
    for value in islice(values, LOOKED_AT) if known is None else ():
        begin.append(value)
        known = detected(value)
        if known is not None:
            break
    rest = chain(begin, values)
    if known is None:
        yield from (Aside(UNKNOWN) for _ in rest)
        return
    yield from PARSERS[known](rest, mended(PurePosixPath(document.name).stem))


def _marked(found: Iterator[Found]) -> Iterator[Found]:
    """Says of each message, and of each conversation, that it came from elsewhere, and from where."""
    for one in found:
        if isinstance(one, Aside):
            yield one
            continue
        origin = {"imported": True, "source": one.source}
        marked = [replace(said, metadata=dict(said.metadata) | origin) for said in one.messages]
        yield replace(one, messages=marked, metadata=dict(one.metadata) | origin)


def _values(document: Document) -> Iterator[Json]:
    text = io.TextIOWrapper(document.file, "utf-8-sig", newline="")
    try:
        with readable(document.name):
            yield from elements(text)
    except UnicodeDecodeError as exc:
        raise InvalidInput(f"{document.name} is not UTF-8 text at byte {exc.start}; convert it first") from exc
    except InvalidInput:
        raise
    except ValueError as exc:
        raise InvalidInput(f"{document.name} is not JSON that can be read: {exc}") from exc
    finally:
        text.detach()
