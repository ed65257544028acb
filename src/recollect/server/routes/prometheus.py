"""Metrics for Prometheus."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from recollect.server.failing import EVERYWHERE
from recollect.server.scope import whole

router = APIRouter(tags=["store"], responses=EVERYWHERE)


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
    dependencies=[Depends(whole)],
)
def prometheus(request: Request) -> Response:
    """Requests, background work, tokens and retrievals, for Prometheus to scrape."""
    return Response(generate_latest(request.app.state.registry), media_type=CONTENT_TYPE_LATEST)
