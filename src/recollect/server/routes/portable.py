"""A space leaves as one file, and comes back."""

from __future__ import annotations

import os
import tempfile
from functools import partial
from pathlib import Path
from typing import IO, Annotated
from urllib.parse import quote

from anyio import to_thread
from fastapi import Depends, Request
from fastapi.responses import StreamingResponse

from recollect.access.gate import said_space
from recollect.errors import InvalidInput, NotFound
from recollect.memory import Memory
from recollect.models import SpaceInfo
from recollect.server.actor import Actor
from recollect.server.archive import pack, pieces, unpack
from recollect.server.noun import noun
from recollect.server.scope import Caller, Governed, SpaceName

router = noun("export and import")

ZIP = {"application/zip": {"schema": {"type": "string", "format": "binary"}}}


class Archive(StreamingResponse):
    media_type = "application/zip"


def target(request: Request, principal: Caller, said: SpaceName = None) -> str | None:
    """Where an archive goes: into the space that is meant. A key to all of them that names none leaves it to the
    archive."""
    principal.need("admin")
    named = said_space(request.headers, said)
    return None if named is None and principal.spaces is None else principal.space(named)


Target = Annotated[str | None, Depends(target)]


@router.get("/export", response_class=Archive, responses={200: {"content": ZIP}})
def export_space(space: Governed, by: Actor) -> Archive:
    """Everything in the space, as a ZIP file of readable JSON files."""
    packed = tempfile.TemporaryFile()  # noqa: SIM115 (closed by whoever sends it)
    try:
        with tempfile.TemporaryDirectory(prefix="recollect-export-") as room:
            pack(space.export(Path(room) / "space", by=by), packed)
    except BaseException:
        packed.close()
        raise
    length = packed.seek(0, os.SEEK_END)
    name = f"attachment; filename*=UTF-8''{quote(space.id, safe='')}.zip"
    return Archive(pieces(packed), headers={"Content-Length": str(length), "Content-Disposition": name})


@router.post("/import", openapi_extra={"requestBody": {"required": True, "content": ZIP}})
async def import_space(request: Request, space: Target) -> SpaceInfo:
    """Puts an exported space back, under the name that is meant. Repeating it changes nothing.

    Of a key to all spaces that names none, the archive's own name is taken.
    """
    with tempfile.TemporaryFile() as upload:
        async for piece in request.stream():
            await to_thread.run_sync(upload.write, piece)
        app = request.app.state
        return await to_thread.run_sync(partial(imported, app.memory, upload, space, app.unpacked))


def imported(memory: Memory, upload: IO[bytes], space: str | None, most: int) -> SpaceInfo:
    with tempfile.TemporaryDirectory(prefix="recollect-import-") as room:
        unpack(upload, Path(room), most)
        try:
            info = memory.import_space(room, space=space).info()
        except InvalidInput as exc:  # says where it was unpacked, which is nobody's business
            raise InvalidInput(str(exc).replace(f"{room}{os.sep}", "").replace(room, "the archive")) from exc
    if info is None:
        raise NotFound("the space was deleted while it was imported")
    return info
