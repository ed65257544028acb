"""Answers that did not change are not sent again."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

JSON = "application/json"
UNCHANGED: dict[int | str, dict[str, Any]] = {304: {"description": "It is as it was when `If-None-Match` was its tag."}}


class Etags:
    """Gives what is read a tag of its content; whoever sends the tag back gets 304 and no body while it is the same.

    Only JSON that is sent in one piece: a stream goes through as it comes.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "GET":
            send = Tagging(send, Headers(scope=scope).get("if-none-match", ""))
        await self._app(scope, receive, send)


class Tagging:
    """Holds the beginning of an answer back until its body is known."""

    def __init__(self, send: Send, known: str) -> None:
        self._send = send
        self._known = [tag.strip().removeprefix("W/") for tag in known.split(",")]
        self._start: Message | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _plain(message):
            self._start = message
            return
        start, self._start = self._start, None
        if start is not None:
            if not message.get("more_body", False):
                message = self._tagged(start, message)
            await self._send(start)
        await self._send(message)

    def _tagged(self, start: Message, body: Message) -> Message:
        tag = f'"{sha256(body.get("body", b"")).hexdigest()[:32]}"'
        headers = MutableHeaders(raw=start["headers"])
        headers["ETag"] = tag
        if tag not in self._known:
            return body
        start["status"] = 304
        del headers["content-length"]
        del headers["content-type"]
        return {**body, "body": b""}


def _plain(start: Message) -> bool:
    return start["status"] == 200 and Headers(raw=start["headers"]).get("content-type", "").startswith(JSON)
