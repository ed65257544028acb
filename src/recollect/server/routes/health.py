"""Whether the server lives, and whether it can do its work. Asked without a key, they say nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from recollect import __version__
from recollect.memory import Memory
from recollect.models import Readiness
from recollect.server.failing import documented
from recollect.server.scope import Caller

router = APIRouter(prefix="/api", tags=["health"], responses=documented(401, 421, 429, 500))


@dataclass(frozen=True, slots=True)
class Health:
    ok: bool


@dataclass(frozen=True, slots=True)
class Version:
    version: str


@router.get("/health")
def health() -> Health:
    """The server answers."""
    return Health(True)


@router.get("/ready", responses={503: {"model": Readiness, "description": "Not ready; the answer says what is not."}})
def ready(request: Request, response: Response) -> Readiness:
    """The store answers, its schema is this version's, and the background work is being done."""
    memory: Memory = request.app.state.memory
    found = memory.ready()
    response.status_code = 200 if found.ready else 503
    return found


@router.get("/version")
def version(caller: Caller) -> Version:  # noqa: ARG001 (a key is needed)
    """Which recollect this is."""
    return Version(__version__)
