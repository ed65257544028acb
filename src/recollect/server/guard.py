"""Looks at who is addressed, and by whom, before anything else is done."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from recollect.access.hosts import Hosts
from recollect.access.problems import of_refusal
from recollect.access.refusal import Refusal
from recollect.server.failing import answer


class Guard:
    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            headers = Headers(scope=scope)
            try:
                self._hosts.check(headers.get("host"), headers.get("origin"))
            except Refusal as refusal:
                await answer(of_refusal(refusal), path=scope["path"])(scope, receive, send)
                return
        await self._app(scope, receive, send)
