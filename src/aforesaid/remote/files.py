"""Exports, imports and backups: folders of this machine, sent and received as files."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile

from aforesaid.errors import InvalidInput, StoreError
from aforesaid.models.store import Backup
from aforesaid.models.transfer import IMPORT_FORMATS
from aforesaid.remote.verb import Given, Scope, Verb
from aforesaid.text import validate

if TYPE_CHECKING:
    from aforesaid.remote.connection import Sending

PIECE = 1 << 16
BACKUP_HEADER = "X-Aforesaid-Backup"


def export(verb: Verb, scope: Scope, given: Given) -> Path:
    """Unpacks the server's archive into a new folder."""
    folder = Path(validate.folder(given["folder"]))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInput(f"{folder} exists and is not empty; name a new folder")
    with tempfile.TemporaryFile() as archive:
        scope.connection.download(verb.sending(scope, {"by": given.get("by")}), archive.write)
        with ZipFile(archive) as packed:
            names = packed.namelist()
            if any(name != Path(name).name for name in names):
                raise StoreError("the server sent an archive with paths; nothing was written")
            folder.mkdir(parents=True, exist_ok=True)
            packed.extractall(folder)
    return folder


def import_space(scope: Scope, folder: str | Path, space: str | None) -> str:
    """Sends an exported folder. Returns the name of the space."""
    from aforesaid.remote.connection import PREFIX, Sending

    place = Path(validate.folder(folder))
    if not place.is_dir():
        raise InvalidInput(f"{place} is not a folder that `export` wrote")
    name = None if space is None else validate.name(space, "space")
    with tempfile.TemporaryFile() as packed:
        _pack(place, packed)
        query = {} if name is None else {"space": name}
        return str(_upload(scope, Sending("POST", f"{PREFIX}/import", query, durable=True, long=True), packed)["id"])


def import_chats(verb: Verb, scope: Scope, given: Given) -> Any:  # noqa: ANN401
    """Sends the file of another program; a folder as a ZIP file."""
    path = Path(validate.folder(given.pop("path")))
    if given.get("format") is not None:
        validate.choice(given["format"], IMPORT_FORMATS, "format")
    if not path.exists():
        raise InvalidInput(f"there is no file {str(path)!r}")
    sending = verb.sending(scope, {"name": path.name} | given)
    sending = replace(sending, query=sending.query | sending.body, body=None, durable=True)
    with tempfile.TemporaryFile() if path.is_dir() else path.open("rb") as file:
        if path.is_dir():
            _pack(path, file)
        return verb.read(_upload(scope, sending, file))


def backup(verb: Verb, scope: Scope, given: Given) -> Backup:
    """Writes the server's backup beside its place, and moves it there when it is complete."""
    path = Path(validate.folder(given["path"]))
    if path.exists() and not given.get("force"):
        raise InvalidInput(f"{path} exists; give force=True to replace it")
    sending = replace(verb.sending(scope, {}), body=None, query={"damaged": bool(given.get("damaged"))}, durable=True)
    partial = path.with_name(f"{path.name}.part-{os.getpid()}")
    try:
        with partial.open("xb") as file:
            headers = scope.connection.download(sending, file.write)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    counts = json.loads(headers.get(BACKUP_HEADER, "{}"))
    return Backup(**{"schema_version": 0, "spaces": 0, "conversations": 0, "messages": 0} | counts | {
        "path": str(path), "bytes": path.stat().st_size
    })  # fmt: skip


def _upload(scope: Scope, sending: Sending, file: IO[bytes]) -> Any:  # noqa: ANN401
    def pieces() -> Iterator[bytes]:
        file.seek(0)
        while piece := file.read(PIECE):
            yield piece

    return scope.connection.json(replace(sending, content=pieces))


def _pack(folder: Path, file: IO[bytes]) -> None:
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for one in sorted(folder.rglob("*")):
            if one.is_file():
                with one.open("rb") as source, archive.open(one.relative_to(folder).as_posix(), "w") as target:
                    shutil.copyfileobj(source, target, PIECE)
