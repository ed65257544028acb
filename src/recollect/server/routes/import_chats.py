"""Another program's conversations come in."""

from __future__ import annotations

import hashlib
import tempfile
from functools import partial
from pathlib import Path
from typing import IO, Annotated

from anyio import to_thread
from fastapi import Query, Request

from recollect.errors import InvalidInput
from recollect.models import Imported, ImportFormat
from recollect.server.given import LONGEST_NAME
from recollect.server.noun import noun
from recollect.server.scope import Governed

router = noun("export and import")

FILE = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
Name = Annotated[
    str | None,
    Query(
        max_length=LONGEST_NAME,
        description="The file's name: conversations without an id are called after it. Without one, after its content.",
        examples=["chat.jsonl"],
    ),
]


@router.post("/import-chats", openapi_extra={"requestBody": {"required": True, "content": FILE}})
async def import_chats(
    request: Request,
    space: Governed,
    format: Annotated[ImportFormat | None, Query(description="Found out, if it is not said.")] = None,
    name: Name = None,
    dry_run: Annotated[bool, Query(description="Say what would come in, and store nothing.")] = False,
) -> Imported:
    """Takes in what ChatGPT, Claude, LangChain or mem0 exported, or chat messages: the ZIP or JSON file as it is.

    Messages keep their ids and times, and are marked as imported. Repeating it adds only what is new.
    """
    with tempfile.TemporaryDirectory(prefix="recollect-import-") as room:
        file = Path(room) / "upload"
        with file.open("xb") as upload:
            called = await received(request, upload)
        verb = partial(space.import_chats, file, format=format, name=name or called, dry_run=dry_run)
        return await to_thread.run_sync(verb)


async def received(request: Request, upload: IO[bytes]) -> str:
    """What a file without a name is called: always the same for the same content."""
    content = hashlib.sha256()
    async for piece in request.stream():
        content.update(piece)
        await to_thread.run_sync(upload.write, piece)
    if not upload.tell():
        raise InvalidInput("the body is empty; send the file that the other program has exported")
    return f"upload-{content.hexdigest()[:32]}"
