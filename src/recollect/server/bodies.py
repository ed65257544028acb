"""How large a body may be: larger where a whole space comes in."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from recollect.access.problems import problem
from recollect.server.failing import answer

MOST_DIGITS = 20
IMPORTS = {"/api/memory/import", "/api/memory/import-chats"}


class Bodies:
    """A body that says that it is too large is not waited for; one that turns out to be is not read to its end."""

    def __init__(self, app: ASGIApp, usual: int, imports: int) -> None:
        self._usual = RequestBodyLimitMiddleware(app, usual)
        self._imports = RequestBodyLimitMiddleware(app, imports)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        limited = self._imports if scope.get("path") in IMPORTS else self._usual
        if scope["type"] == "http" and announced(Headers(scope=scope)) > limited.max_body_size:
            refused = problem(413, "too_large", f"the body is too large; {limited.max_body_size} bytes is the most")
            await answer(refused, path=scope["path"])(scope, receive, send)
            return
        await limited(scope, receive, send)


def announced(headers: Headers) -> int:
    said = headers.get("content-length", "")
    return int(said) if said.isdecimal() and len(said) < MOST_DIGITS else 0
