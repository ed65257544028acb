"""Where to find what was just made."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import Response

from recollect.space import Space

PREFIX = "/api/memory"


def made(response: Response, space: Space, *pieces: str) -> None:
    """Says in `Location` where the new record is, by the pieces of its path."""
    path = "/".join(quote(piece, safe="") for piece in pieces)
    response.headers["Location"] = f"{PREFIX}/{path}?space={quote(space.id, safe='')}"
