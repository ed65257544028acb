"""The page that describes the API."""

from __future__ import annotations

from importlib.resources import files

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from recollect.server.reference.page import STYLE, page

router = APIRouter(include_in_schema=False)


@router.get("/docs")
def docs(request: Request) -> HTMLResponse:
    return HTMLResponse(page(request.app.openapi(), str(request.base_url).rstrip("/")))


@router.get(STYLE)
def style() -> Response:
    return Response((files("recollect.server.reference") / "docs.css").read_bytes(), media_type="text/css")
