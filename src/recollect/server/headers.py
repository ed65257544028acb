"""What every answer says to a browser: guess nothing, keep nothing, run nothing."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
PAGE = f"{NOTHING}; style-src 'self'"  # a page of ours: no script, no host but this one
SELF = "script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'"
APPLICATION = f"{NOTHING}; {SELF}"  # the page: its own files only, no script or style inside a document
ALWAYS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY"}


class SafeHeaders:
    """Adds what a route has not said otherwise."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        kept = scope["path"].startswith("/api/")

        async def say(message: Message) -> None:
            if message["type"] == "http.response.start":
                guarded(MutableHeaders(scope=message), kept)
            await send(message)

        await self._app(scope, receive, say)


def guarded(headers: MutableHeaders, api: bool) -> None:
    for name, value in ALWAYS.items():
        headers[name] = value
    if api:
        headers.setdefault("Cache-Control", "no-store")
    html = headers.get("content-type", "").startswith("text/html")
    headers.setdefault("Content-Security-Policy", PAGE if html else NOTHING)
