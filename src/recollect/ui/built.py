"""The files of the page: found by name, in the encoding that the browser takes."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

DIST = Path(__file__).parent / "dist"
HASHED = "assets"  # the folder of files whose names change with their content
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
TEXT = ("text/", "application/javascript", "application/json")


@dataclass(frozen=True, slots=True)
class Asset:
    """One file of the page, as it is sent. `encoding` is None where it is sent as it is."""

    content: bytes
    media_type: str
    encoding: str | None
    forever: bool

    @property
    def tag(self) -> str:
        return f'"{sha256(self.content).hexdigest()[:32]}"'


def find(name: str, accepted: str, dist: Path = DIST) -> Asset | None:
    """The file of this name, in the smallest form that `accepted` (an Accept-Encoding) allows; None where the page has
    no such file. Never a file outside the page."""
    plain = dist / name
    if not inside(plain, dist):
        return None
    kind = mimetypes.guess_type(plain.name)[0] or "application/octet-stream"
    media_type = f"{kind}; charset=utf-8" if kind.startswith(TEXT) else kind
    forever = plain.parent == dist / HASHED
    for encoding, ending in ENCODINGS:
        packed = plain.with_name(plain.name + ending)
        if takes(accepted, encoding) and packed.is_file():
            return Asset(packed.read_bytes(), media_type, encoding, forever)
    return Asset(plain.read_bytes(), media_type, None, forever)


def inside(file: Path, dist: Path) -> bool:
    try:
        return file.resolve().is_relative_to(dist.resolve()) and file.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def takes(accepted: str, encoding: str) -> bool:
    """Whether Accept-Encoding names it, and not with a weight of zero."""
    for one in accepted.lower().split(","):
        name, _, weight = one.strip().partition(";")
        if name.strip() == encoding:
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
