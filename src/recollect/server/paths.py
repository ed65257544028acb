"""Names in paths may be any text, slashes included: what is encoded stays one piece.

A server decodes `%2F` before it looks for a route, and `a%2Fb` would become two pieces. Here the path is decoded but
for slashes and percent signs, and each name is decoded the rest of the way when it is read.
"""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import unquote, unquote_to_bytes

from fastapi import Path
from pydantic import AfterValidator
from starlette.types import ASGIApp, Receive, Scope, Send

KEPT = re.compile(rb"(%2[fF]|%25)")

Named = AfterValidator(unquote)
ConversationName = Annotated[str, Path(description="The conversation's name, percent-encoded."), Named]
Id = Annotated[str, Path(description="The record's id, percent-encoded."), Named]


class WholeNames:
    """Keeps an encoded slash inside the name that it is part of."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope.get("raw_path"):
            scope = {**scope, "path": decoded(scope["raw_path"])}
        await self._app(scope, receive, send)


def decoded(raw: bytes) -> str:
    pieces = KEPT.split(raw.partition(b"?")[0])
    whole = b"".join(piece if KEPT.fullmatch(piece) else unquote_to_bytes(piece) for piece in pieces)
    return whole.decode("utf-8", "surrogateescape")  # what is not UTF-8 is no name, and is refused as such
