"""Routes for export and import of a space, import of other programs' chats, and backup of the store."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import IO, Annotated, Any, TypeVar
from urllib.parse import quote

from anyio import to_thread
from fastapi import Depends, Query, Request
from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect

from aforesaid.access.authentication import Principal, requested_space
from aforesaid.access.limits import ConcurrencyLimit
from aforesaid.errors import InvalidInput, NotFound
from aforesaid.memory import Memory
from aforesaid.models.space import SpaceInfo
from aforesaid.models.transfer import ImportFormat, ImportReport
from aforesaid.server.archive import Progress, chunks, pack, unpack
from aforesaid.server.dependencies import Actor, AdminSpace, Caller, ServedStore, SpaceName, WholeStore
from aforesaid.server.params import MAX_NAME_LENGTH
from aforesaid.server.router import api_router
from aforesaid.temporary_files import TemporaryFiles

router = api_router("spaces")
backup_router = api_router("store")

BACKUP_HEADER = "X-Aforesaid-Backup"  # the counts of a backup, as JSON
MAX_IMPORTS = 4  # at the same time, per principal

T = TypeVar("T")

FileName = Annotated[
    str | None,
    Query(
        max_length=MAX_NAME_LENGTH,
        description="The file's name, used to name conversations without an id. Default: a name from its content.",
        examples=["chat.jsonl"],
    ),
]


class FileResponse(StreamingResponse):
    media_type = "application/octet-stream"  # generated clients know no other type of files


FILE: dict[str, Any] = {"content": {FileResponse.media_type: {"schema": {"type": "string", "format": "binary"}}}}


def _temporary_files(memory: Memory) -> TemporaryFiles:
    return TemporaryFiles(memory.address, encrypted=memory.encrypted)


def _download_headers(file: IO[bytes], disposition: str) -> dict[str, str]:
    return {"Content-Length": str(file.seek(0, os.SEEK_END)), "Content-Disposition": f"attachment; {disposition}"}


def import_target(request: Request, principal: Caller, space_name: SpaceName = None) -> str | None:
    """Returns the space that an archive goes into. None (a key to all spaces that names none): the space in the
    archive."""
    principal.need("admin")
    requested = requested_space(request.headers, space_name)
    return None if requested is None and principal.spaces is None else principal.space(requested)


@router.get("/export", response_class=FileResponse, responses={200: FILE}, name="export")
def export_space(space: AdminSpace, memory: ServedStore, by: Actor) -> FileResponse:
    """Exports the whole space as a ZIP file of readable JSON files."""
    temporary = _temporary_files(memory)
    packed = temporary.file()  # closed by `chunks`
    try:
        with temporary.folder() as folder:
            pack(space.export(folder / "space", by=by), packed)
    except BaseException:
        packed.close()
        raise
    headers = _download_headers(packed, f"filename*=UTF-8''{quote(space.id, safe='')}.zip")
    return FileResponse(chunks(packed), headers=headers)


@router.post("/import", openapi_extra={"requestBody": {"required": True, **FILE}}, name="import")
async def import_space(
    request: Request, caller: Caller, memory: ServedStore, space: Annotated[str | None, Depends(import_target)]
) -> SpaceInfo:
    """Imports an exported space under the requested name. Repeating it changes nothing.

    If a key to all spaces names none, the space keeps its name from the archive.
    """
    with import_slot(request, caller), _temporary_files(memory).file() as upload:
        async for piece in request.stream():
            await to_thread.run_sync(upload.write, piece)
        work = partial(import_archive, memory, upload, space, request.app.state.unpacked)
        return await run_until_disconnect(request, work)


def import_archive(memory: Memory, upload: IO[bytes], space: str | None, most: int, progress: Progress) -> SpaceInfo:
    with _temporary_files(memory).folder() as unpacked:
        folder = str(unpacked)
        unpack(upload, unpacked, most, progress)
        try:
            info = memory.import_space(folder, space=space, progress=progress).info()
        except InvalidInput as exc:  # the response must not contain the path of the temporary folder
            raise InvalidInput(str(exc).replace(f"{folder}{os.sep}", "").replace(folder, "the archive")) from exc
    if info is None:
        raise NotFound("the space was deleted during the import")
    return info


@router.post("/import-chats", openapi_extra={"requestBody": {"required": True, **FILE}})
async def import_chats(
    request: Request,
    caller: Caller,
    space: AdminSpace,
    memory: ServedStore,
    *,
    format: Annotated[ImportFormat | None, Query(description="Default: detected from the content.")] = None,
    name: FileName = None,
    me: Annotated[
        str | None, Query(max_length=MAX_NAME_LENGTH, description="Your name in chats between people.")
    ] = None,
    dry_run: Annotated[bool, Query(description="Reports what it would import, and stores nothing.")] = False,
) -> ImportReport:
    """Imports the export of another program, such as ChatGPT, Claude or Telegram, or chat messages. The body is its
    file: a ZIP, JSON, text or database.

    Messages keep their ids and times, and are marked as imported. Repeating it adds only new messages.
    """
    with import_slot(request, caller), _temporary_files(memory).folder() as folder:
        file = folder / "upload"
        with file.open("xb") as upload:
            content_name = await save_upload(request, upload)
        verb = partial(space.import_chats, file, format=format, name=name or content_name, me=me, dry_run=dry_run)
        return await run_until_disconnect(request, lambda progress: verb(progress=progress))


async def save_upload(request: Request, upload: IO[bytes]) -> str:
    """Returns a name for the file that depends only on its content."""
    content = hashlib.sha256()
    async for piece in request.stream():
        content.update(piece)
        await to_thread.run_sync(upload.write, piece)
    if not upload.tell():
        raise InvalidInput("the body is empty; send the file that the other program exported")
    return f"upload-{content.hexdigest()[:32]}"


def import_slot(request: Request, caller: Principal) -> AbstractContextManager[None]:
    """Limits the imports of a caller that run at the same time: each occupies a thread and a temporary file."""
    limit: ConcurrencyLimit = request.app.state.import_limit
    return limit.slot(caller.id)


async def run_until_disconnect(request: Request, work: Callable[[Progress], T]) -> T:
    """Runs `work` in a thread. When the client disconnects, its next report of progress raises ClientDisconnect."""
    left = threading.Event()

    def check(_done: int, _total: int) -> None:
        if left.is_set():
            raise ClientDisconnect

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        left.set()

    watcher = asyncio.create_task(watch())
    try:
        return await to_thread.run_sync(work, check)
    finally:
        watcher.cancel()


@backup_router.post("/backup", response_class=FileResponse, responses={200: FILE})
def backup(
    memory: WholeStore,
    damaged: Annotated[bool, Query(description="Copies damaged records as they are, instead of refusing.")] = False,
) -> FileResponse:
    """Returns a backup of the whole store in one file, for `aforesaid restore`. Writers continue meanwhile."""
    with TemporaryFiles(memory.address).folder() as folder:
        made = memory.backup(folder / "store.db", damaged=damaged)
        file = Path(made.path).open("rb")  # noqa: SIM115 (closed by `chunks`; the folder goes at once)
    counts = {name: value for name, value in asdict(made).items() if name != "path"}
    headers = _download_headers(file, 'filename="aforesaid.db"') | {BACKUP_HEADER: json.dumps(counts)}
    return FileResponse(chunks(file), headers=headers)
