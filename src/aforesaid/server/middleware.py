"""ASGI middleware: allowed Host and Origin, body size limits, security headers, and ETags."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from aforesaid.access.problems import MisdirectedRequest, PayloadTooLarge, Refusal, error_response
from aforesaid.proxy.targets import find_target
from aforesaid.server.same_origin import Origin, check_framing, check_sender, requested_origin

LOOPBACK = ("localhost", "127.0.0.1", "::1")
MAX_LENGTH_DIGITS = 20
IMPORT_PATHS = {"/api/memory/import", "/api/memory/import-chats"}
UPLOAD_TYPES = ("multipart/form-data", "application/octet-stream")
JSON_MEDIA = "application/json"
NOT_MODIFIED: dict[int | str, dict[str, Any]] = {
    304: {"description": "Unchanged: `If-None-Match` has the current tag."}
}

DENY_ALL_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
DOCUMENT_POLICY = f"{DENY_ALL_POLICY}; style-src 'self'"  # server-rendered pages have no scripts
SAME_ORIGIN = "script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'"
WEB_APP_POLICY = f"{DENY_ALL_POLICY}; {SAME_ORIGIN}"  # the web page: own files only, nothing inline
SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class HostMiddleware:
    """Rejects malformed requests, requests to other hosts than `names` (None: any), and requests that pages of other
    origins send (DNS rebinding, CSRF). `origins` count as the server's own, such as that of a reverse proxy with
    TLS."""

    def __init__(self, app: ASGIApp, names: Collection[str] | None, origins: Collection[Origin] = ()) -> None:
        self._app = app
        self._names = None if names is None else frozenset(name.lower().strip("[]") for name in names)
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            try:
                self._check(scope, Headers(scope=scope))
            except Refusal as refusal:
                await error_response(refusal, scope["path"])(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _check(self, scope: Scope, headers: Headers) -> None:
        check_framing(scope, headers)
        requested = requested_origin(scope, headers)
        if self._names is not None and requested.host not in self._names:
            raise MisdirectedRequest("this server does not answer to that Host; allow it with --host-name")
        check_sender(scope, headers, {requested, *self._origins})


class BodyLimitMiddleware:
    """Rejects a body that declares too large a Content-Length, and stops reading a body that grows too large. Imports,
    and files that the proxy sends on, may be larger: they are not kept in memory."""

    def __init__(self, app: ASGIApp, usual: int, imports: int) -> None:
        self._usual = RequestBodyLimitMiddleware(app, usual)
        self._imports = RequestBodyLimitMiddleware(app, imports)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        large = scope.get("path") in IMPORT_PATHS or _is_upload(scope)
        limited = self._imports if large else self._usual
        if scope["type"] == "http" and declared_length(Headers(scope=scope)) > limited.max_body_size:
            refusal = PayloadTooLarge(f"the body is larger than the limit of {limited.max_body_size} bytes")
            await error_response(refusal, scope["path"])(scope, receive, send)
        else:
            await limited(scope, receive, send)


def _is_upload(scope: Scope) -> bool:
    """Returns True for a file that goes upstream while it arrives."""
    if scope["type"] != "http":
        return False
    kind = Headers(scope=scope).get("content-type", "").partition(";")[0].strip().lower()
    large = kind in UPLOAD_TYPES or "/api/blobs/" in scope["path"]  # Ollama's files, as JSON
    target = find_target(scope["method"], scope["path"]) if large else None
    return target is not None and target.wire is None


def declared_length(headers: Headers) -> int:
    length = headers.get("content-length", "")
    return int(length) if length.isdecimal() and len(length) < MAX_LENGTH_DIGITS else 0


class SecurityHeadersMiddleware:
    """Adds the security headers that a route does not set itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                add_security_headers(MutableHeaders(scope=message), scope["path"].startswith("/api/"))
            await send(message)

        await self._app(scope, receive, send_secured if scope["type"] == "http" else send)


def add_security_headers(headers: MutableHeaders, api: bool) -> None:
    for name, value in SECURITY_HEADERS.items():
        headers[name] = value
    if api:
        headers.setdefault("Cache-Control", "no-store")
    html = headers.get("content-type", "").startswith("text/html")
    headers.setdefault("Content-Security-Policy", DOCUMENT_POLICY if html else DENY_ALL_POLICY)


class DeprecationMiddleware:
    """Adds a link to the reference to the responses of a deprecated route (RFC 9745)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start" and getattr(scope.get("route"), "deprecated", False):
                MutableHeaders(scope=message).append("Link", '</docs>; rel="deprecation"')
            await send(message)

        await self._app(scope, receive, send_marked)


class ETagMiddleware:
    """Adds an ETag to JSON responses of GET requests, and answers 304 without a body if the client has that ETag.

    Only for JSON that is sent in one piece: streams pass unchanged.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "GET":
            send = ETagSender(send, Headers(scope=scope).get("if-none-match", ""))
        await self._app(scope, receive, send)


class ETagSender:
    """Holds the start of a response back until its body is known."""

    def __init__(self, send: Send, if_none_match: str) -> None:
        self._send = send
        self._client_tags = [tag.strip().removeprefix("W/") for tag in if_none_match.split(",")]
        self._start: Message | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_json(message):
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
        if tag not in self._client_tags:
            return body
        start["status"] = 304
        del headers["content-length"]
        del headers["content-type"]
        return {**body, "body": b""}


def _is_json(start: Message) -> bool:
    return start["status"] == 200 and Headers(raw=start["headers"]).get("content-type", "").startswith(JSON_MEDIA)
