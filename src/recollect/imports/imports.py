"""Another program's export comes in: read once to know that all of it can be, and once more to store it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from recollect.errors import InvalidInput
from recollect.imports.exported import UNKNOWN, Aside, Found
from recollect.imports.put import Putting, Target
from recollect.imports.read import read
from recollect.models import IMPORT_FORMATS, Imported, ImportFormat
from recollect.ports import Progress


@dataclass(frozen=True, slots=True)
class Export:
    """What another program has written: where it is, of what format, and by which name a single file goes, if not by
    its own."""

    path: Path
    format: ImportFormat | None = None
    name: str | None = None

    @property
    def called(self) -> str:
        return self.name or self.path.name

    def read(self) -> Iterator[Found]:
        return read(self.path, self.format, self.name)


def import_chats(export: Export, target: Target, progress: Progress) -> Imported:
    """Stores what the export holds. InvalidInput before anything is written where it cannot be read to its
    end, or holds nothing that is known."""
    total, chats, strange = 0, 0, 0
    for found in export.read():
        if isinstance(found, Aside):
            strange += found.count if found.reason == UNKNOWN else 0
        else:
            chats, total = chats + 1, total + len(found.messages)
    if strange and not chats:
        raise InvalidInput(_nothing_known(export))
    return Putting(target, progress, total).put(export.read())


def _nothing_known(export: Export) -> str:
    if export.format is not None:
        return f"nothing in {export.called} is known as {export.format}; leave the format out to have it found out"
    return (
        f"nothing in {export.called} is known; recollect reads exports of {', '.join(IMPORT_FORMATS)}. "
        "Say which one it is with format, if it is one of them"
    )
