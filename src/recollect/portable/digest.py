"""What is in an export, in numbers that can be compared."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Digest:
    """How many records a file has, and the SHA-256 of all that they say, in their order."""

    records: int
    checksum: str


def digests(folder: Path) -> dict[str, Digest]:
    """Of each kind of record in an exported space; `manifest` is the space itself."""
    return {file.stem: _digest(file) for file in sorted(folder.glob("*.json"))}


def checksums(found: Mapping[str, Digest]) -> dict[str, str]:
    return {kind: digest.checksum for kind, digest in found.items()}


def differing(ours: Mapping[str, object], theirs: Mapping[str, object]) -> list[str]:
    """The kinds of record that two exports do not have alike."""
    return sorted(kind for kind in ours.keys() | theirs.keys() if ours.get(kind) != theirs.get(kind))


def _digest(file: Path) -> Digest:
    sum_, lines = hashlib.sha256(), 0
    with file.open("rb") as opened:
        for line in opened:
            sum_.update(line)
            lines += line.startswith(b"{")
    return Digest(lines, sum_.hexdigest())
