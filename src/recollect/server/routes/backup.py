"""The whole store leaves as one file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from fastapi.responses import StreamingResponse

from recollect.server.archive import pieces
from recollect.server.noun import noun
from recollect.server.scope import Whole

router = noun("store")

FILE = {"application/vnd.sqlite3": {"schema": {"type": "string", "format": "binary"}}}


class StoreFile(StreamingResponse):
    media_type = "application/vnd.sqlite3"


@router.get("/backup", response_class=StoreFile, responses={200: {"content": FILE}})
def backup(memory: Whole) -> StoreFile:
    """The whole store as it is now, every space in one file, for `recollect restore`. Writers go on meanwhile."""
    with tempfile.TemporaryDirectory(prefix="recollect-backup-") as room:
        made = memory.backup(Path(room) / "store.db")
        file = Path(made.path).open("rb")  # noqa: SIM115 (closed by whoever sends it; its name goes at once)
    length = os.fstat(file.fileno()).st_size
    name = 'attachment; filename="recollect.db"'
    return StoreFile(pieces(file), headers={"Content-Length": str(length), "Content-Disposition": name})
