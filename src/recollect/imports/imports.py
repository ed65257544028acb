"""Another program's export comes in: read once to know that all of it can be, and once more to store it."""

from __future__ import annotations

from pathlib import Path

from recollect.errors import InvalidInput
from recollect.imports.exported import UNKNOWN, Aside
from recollect.imports.put import Putting, Target
from recollect.imports.read import read
from recollect.models import IMPORT_FORMATS, Imported, ImportFormat
from recollect.ports import Progress


def import_chats(path: Path, format: ImportFormat | None, target: Target, progress: Progress) -> Imported:
    """Stores what the export at `path` holds. InvalidInput before anything is written where it cannot be read to its
    end, or holds nothing that is known."""
    total, chats, strange = 0, 0, 0
    for found in read(path, format):
        if isinstance(found, Aside):
            strange += found.count if found.reason == UNKNOWN else 0
        else:
            chats, total = chats + 1, total + len(found.messages)
    if strange and not chats:
        raise InvalidInput(
            f"nothing in {path.name} is known; recollect reads exports of {', '.join(IMPORT_FORMATS)}. "
            "Say which one it is with format, if it is one of them"
        )
    return Putting(target, progress, total).put(read(path, format))
