"""The log of the hooks: one line for each event, and its error if there was one. It never has a message's text."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence

from aforesaid.hooks.data_folder import beside_store

LARGEST = 256 * 1024  # bytes; then the older half is dropped


def log_path(store: str) -> str:
    return beside_store(store, "hooks.log")


def write_line(path: str, record: Mapping[str, object]) -> None:
    """Appends a record. A log that cannot be written is no reason to fail."""
    line = json.dumps({"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), **record}, ensure_ascii=False)
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        if os.path.exists(path) and os.path.getsize(path) > LARGEST:
            _halve(path)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a", encoding="utf-8") as file:
            file.write(f"{line}\n")
    except OSError:
        return


def _halve(path: str) -> None:
    with open(path, "rb") as file:
        file.seek(-LARGEST // 2, os.SEEK_END)
        kept = file.read().partition(b"\n")[2]
    new = f"{path}.{os.getpid()}"
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(kept)
    os.replace(new, path)


def read_lines(path: str, most: int) -> Sequence[Mapping[str, object]]:
    """The last records, the newest last."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.readlines()[-most:]
    except FileNotFoundError:
        return []
    records = []
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            records.append(record)
    return records
