"""The page and its files. They hold nobody's words: what they show, they ask the API for, with a key where one is
needed."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import PlainTextResponse

from recollect.server.headers import APPLICATION
from recollect.ui.built import Asset, find

FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
NOT_BUILT = """recollect is running; its page was not built.

`make run` builds it (node 20 and npm are needed once), and so does `npm ci && npm run build` in the folder web.
The API is described at /docs.
"""

router = APIRouter(include_in_schema=False)


@router.get("/")
def index(request: Request) -> Response:
    found = find("index.html", accepted(request))
    return PlainTextResponse(NOT_BUILT, 404) if found is None else sent(found, request)


@router.get("/icon.svg")
@router.get("/licences.txt")
@router.get("/assets/{name}")
def asset(request: Request) -> Response:
    found = find(request.url.path.lstrip("/"), accepted(request))
    if found is None:
        raise HTTPException(404, "the page has no such file")
    return sent(found, request)


def accepted(request: Request) -> str:
    return request.headers.get("accept-encoding", "")


def sent(asset: Asset, request: Request) -> Response:
    headers = {
        "Cache-Control": FOREVER if asset.forever else ASK_AGAIN,
        "Content-Security-Policy": APPLICATION,
        "ETag": asset.tag,
        "Vary": "Accept-Encoding",
    }
    if asset.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if asset.encoding is not None:
        headers["Content-Encoding"] = asset.encoding
    return Response(asset.content, media_type=asset.media_type, headers=headers)
