"""The files of the built web page, in an encoding that the browser accepts. Never returns a file outside the page."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

DIST = Path(__file__).parent / "dist"
HASHED_FOLDER = "assets"  # the folder of files whose names change with their content
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
TEXT = ("text/", "application/javascript", "application/json")


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of the page in the form in which it is sent. `encoding` is None if it is not compressed."""

    content: bytes
    media_type: str
    encoding: str | None
    immutable: bool

    @property
    def tag(self) -> str:
        return f'"{sha256(self.content).hexdigest()[:32]}"'


def find_asset(name: str, accepted: str, dist: Path = DIST) -> Asset | None:
    """Returns the file in the smallest encoding that Accept-Encoding (`accepted`) allows, or None if there is none."""
    plain = dist / name
    if not is_inside(plain, dist):
        return None
    kind = mimetypes.guess_type(plain.name)[0] or "application/octet-stream"
    media_type = f"{kind}; charset=utf-8" if kind.startswith(TEXT) else kind
    immutable = plain.parent == dist / HASHED_FOLDER
    for encoding, ending in ENCODINGS:
        compressed = plain.with_name(plain.name + ending)
        if accepts_encoding(accepted, encoding) and compressed.is_file():
            return Asset(compressed.read_bytes(), media_type, encoding, immutable)
    return Asset(plain.read_bytes(), media_type, None, immutable)


def is_inside(file: Path, dist: Path) -> bool:
    try:
        return file.resolve().is_relative_to(dist.resolve()) and file.is_file()
    except (OSError, ValueError):  # not a valid file name
        return False


def accepts_encoding(accepted: str, encoding: str) -> bool:
    """Returns True if Accept-Encoding names the encoding with a weight above zero."""
    for entry in accepted.lower().split(","):
        name, _, weight = entry.strip().partition(";")
        if name.strip() == encoding:
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
