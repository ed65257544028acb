"""Routes for monitoring. Health and readiness need no key and return nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Depends, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from aforesaid import __version__
from aforesaid.models.store import Readiness
from aforesaid.server.dependencies import Caller, ServedStore, whole
from aforesaid.server.errors import COMMON_PROBLEMS, problem_responses
from aforesaid.server.router import operation_id

router = APIRouter(
    prefix="/api",
    tags=["health"],
    responses=problem_responses("default"),
    generate_unique_id_function=operation_id,
)
prometheus_router = APIRouter(tags=["store"], responses=COMMON_PROBLEMS, generate_unique_id_function=operation_id)


@dataclass(frozen=True, slots=True)
class HealthResponse:
    ok: bool


@dataclass(frozen=True, slots=True)
class VersionResponse:
    version: str


@router.get("/health", name="check")
def health() -> HealthResponse:
    """Answers while the server runs."""
    return HealthResponse(True)


@router.get(
    "/ready",
    response_model_exclude_none=True,
    responses={503: {"model": Readiness, "description": "Not ready; the body says why."}},
)
def ready(memory: ServedStore, response: Response) -> Readiness:
    """Checks that the store answers and has room, that its schema is this version's, and that background work runs."""
    readiness = memory.ready()
    response.status_code = 200 if readiness.ready else 503
    return readiness


@router.get("/version")
def version(caller: Caller) -> VersionResponse:  # noqa: ARG001 (a key is needed)
    """Returns the version of aforesaid."""
    return VersionResponse(__version__)


@prometheus_router.get(
    "/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}}, dependencies=[Depends(whole)]
)
def prometheus(request: Request) -> Response:
    """Returns metrics of requests, background work, tokens and retrievals in Prometheus format."""
    return Response(generate_latest(request.app.state.registry), media_type=CONTENT_TYPE_LATEST)
