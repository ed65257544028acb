"""Routes for the web page and the API reference page. They contain no user data: the page reads it from the API."""

from __future__ import annotations

from importlib.resources import files

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, Response

from aforesaid.server.middleware import WEB_APP_POLICY
from aforesaid.server.reference.html_page import STYLESHEET, render_page
from aforesaid.server.reference.openapi import resolve_parts
from aforesaid.ui.assets import find_asset

IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
NOT_BUILT = """aforesaid is running, but its web page is not built.

`make run` builds it (needs node 20 and npm), and so does `npm ci && npm run build` in the folder web.
The API reference is at /docs.
"""

router = APIRouter(include_in_schema=False)


@router.get("/")
def index(request: Request) -> Response:
    return asset_response("index.html", request) or PlainTextResponse(NOT_BUILT, 404)


@router.get("/icon.svg")
@router.get("/licences.txt")
@router.get("/assets/{name}")
def asset(request: Request) -> Response:
    response = asset_response(request.url.path.lstrip("/"), request)
    if response is None:
        raise HTTPException(404, "the page has no such file")
    return response


def asset_response(name: str, request: Request) -> Response | None:
    asset = find_asset(name, request.headers.get("accept-encoding", ""))
    if asset is None:
        return None
    headers = {
        "Cache-Control": IMMUTABLE if asset.immutable else REVALIDATE,
        "Content-Security-Policy": WEB_APP_POLICY,
        "ETag": asset.tag,
        "Vary": "Accept-Encoding",
    }
    if asset.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if asset.encoding is not None:
        headers["Content-Encoding"] = asset.encoding
    return Response(asset.content, media_type=asset.media_type, headers=headers)


@router.get("/docs")
def docs(request: Request) -> HTMLResponse:
    return HTMLResponse(render_page(resolve_parts(request.app.openapi()), str(request.base_url).rstrip("/")))


@router.get(STYLESHEET)
def style() -> Response:
    return Response((files("aforesaid.server.reference") / "docs.css").read_bytes(), media_type="text/css")
