"""Another program's conversations come in."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import Annotated

from anyio import to_thread
from fastapi import Query, Request

from recollect.errors import InvalidInput
from recollect.models import Imported, ImportFormat
from recollect.server.noun import noun
from recollect.server.scope import Governed

router = noun("export and import")

FILE = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
NAME = "upload"  # what is wrong with the file is said of this


@router.post("/import-chats", openapi_extra={"requestBody": {"required": True, "content": FILE}})
async def import_chats(
    request: Request,
    space: Governed,
    format: Annotated[ImportFormat | None, Query(description="Found out, if it is not said.")] = None,
    dry_run: Annotated[bool, Query(description="Say what would come in, and store nothing.")] = False,
) -> Imported:
    """Takes in what ChatGPT, Claude, LangChain or mem0 exported, or chat messages: the ZIP or JSON file as it is.

    Messages keep their ids and times, and are marked as imported. Repeating it adds only what is new.
    """
    with tempfile.TemporaryDirectory(prefix="recollect-import-") as room:
        file = Path(room) / NAME
        with file.open("xb") as upload:
            async for piece in request.stream():
                await to_thread.run_sync(upload.write, piece)
            if not upload.tell():
                raise InvalidInput("the body is empty; send the file that the other program has exported")
        return await to_thread.run_sync(partial(space.import_chats, file, format=format, dry_run=dry_run))
