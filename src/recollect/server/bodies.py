"""How large a body may be: larger where a whole space comes in."""

from __future__ import annotations

from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

IMPORT = "/api/memory/import"


class Bodies:
    def __init__(self, app: ASGIApp, usual: int, imports: int) -> None:
        self._usual = RequestBodyLimitMiddleware(app, usual)
        self._imports = RequestBodyLimitMiddleware(app, imports)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        limit = self._imports if scope.get("path") == IMPORT else self._usual
        await limit(scope, receive, send)
