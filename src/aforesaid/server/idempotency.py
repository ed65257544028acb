"""Repeated requests: with the same `Idempotency-Key`, a write runs once, and the repetition gets the first answer.

The answers are kept in this process, for a while. Every answer names the process in `X-Aforesaid-Instance`. A client
that sends the name of the process that had the request first is never served twice: another process refuses.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import sha256

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from aforesaid.access.authentication import Authenticator
from aforesaid.access.problems import InDoubt, MalformedRequest, Refusal, error_response

HEADER = "idempotency-key"
INSTANCE_HEADER = "x-aforesaid-instance"
SAFE = ("GET", "HEAD", "OPTIONS")
LONGEST_KEY = 255
KEPT_SECONDS = 600.0
KEPT_BYTES = 64 * 2**20
LARGEST_ANSWER = 2**20
NOT_DONE = (401, 403, 429, 503)  # refused before it ran, or to be tried again


@dataclass(slots=True)
class KeptAnswer:
    """The answer to a request, once `done` is set. `messages` is None if it is too large to keep."""

    until: float
    done: asyncio.Event = field(default_factory=asyncio.Event)
    messages: list[Message] | None = None
    size: int = 0


class IdempotencyMiddleware:
    def __init__(self, app: ASGIApp, authenticator: Authenticator) -> None:
        self._app = app
        self._authenticator = authenticator
        self._instance = uuid.uuid4().hex
        self._answers: OrderedDict[bytes, KeptAnswer] = OrderedDict()
        self._bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/api/memory/"):
            await self._app(scope, receive, send)
            return
        named = self._name_instance(send)
        headers = Headers(scope=scope)
        key = headers.get(HEADER)
        if key is None or scope["method"] in SAFE:
            await self._app(scope, receive, named)
        elif not 0 < len(key) <= LONGEST_KEY:
            detail = f"an Idempotency-Key has 1 to {LONGEST_KEY} characters"
            await error_response(MalformedRequest(detail))(scope, receive, named)
        else:
            await self._once(_digest(scope, headers, key), scope, receive, named)

    async def _once(self, digest: bytes, scope: Scope, receive: Receive, send: Send) -> None:
        self._drop_old()
        known = self._answers.get(digest)
        if known is not None:
            await known.done.wait()
            if self._answers.get(digest) is known:
                await self._repeat(known, scope, receive, send)
                return
        first = Headers(scope=scope).get(INSTANCE_HEADER)
        if first is not None and first != self._instance and first:
            detail = "another process of the server had this request, and may have done it; read what is stored"
            await error_response(InDoubt(detail))(scope, receive, send)
            return
        answer = self._answers[digest] = KeptAnswer(time.monotonic() + KEPT_SECONDS, messages=[])
        try:
            await self._app(scope, receive, self._recording(answer, send))
        except BaseException:
            self._forget(digest, answer)
            raise
        finally:
            if answer.messages is not None and not _is_final(answer.messages):
                self._forget(digest, answer)
            answer.done.set()

    async def _repeat(self, answer: KeptAnswer, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends a kept answer, if the key still opens the server."""
        client = scope.get("client")
        try:
            admit = self._authenticator.admit
            await to_thread.run_sync(admit, Headers(scope=scope), client[0] if client else "local")
        except Refusal as refusal:
            await error_response(refusal)(scope, receive, send)
            return
        if answer.messages is None:
            detail = "the request was done, and its answer was too large to keep; read what is stored"
            await error_response(InDoubt(detail))(scope, receive, send)
            return
        for message in answer.messages:
            await send(_copy(message))

    def _recording(self, answer: KeptAnswer, send: Send) -> Send:
        async def record(message: Message) -> None:
            answer.size += len(message.get("body", b""))
            if answer.messages is not None:
                self._bytes += len(message.get("body", b""))
                answer.messages.append(_copy(message))
            if answer.messages is not None and answer.size > LARGEST_ANSWER:
                self._bytes -= answer.size
                answer.messages = None
            await send(message)

        return record

    def _name_instance(self, send: Send) -> Send:
        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[INSTANCE_HEADER] = self._instance
            await send(message)

        return named

    def _drop_old(self) -> None:
        now = time.monotonic()
        while self._answers:
            digest, oldest = next(iter(self._answers.items()))
            if not oldest.done.is_set() or (oldest.until > now and self._bytes <= KEPT_BYTES):
                return
            self._forget(digest, oldest)

    def _forget(self, digest: bytes, answer: KeptAnswer) -> None:
        if self._answers.get(digest) is answer:
            del self._answers[digest]
            self._bytes -= answer.size if answer.messages is not None else 0


def _digest(scope: Scope, headers: Headers, key: str) -> bytes:
    sender = headers.get("authorization", ""), headers.get("x-api-key", "")
    parts = *sender, scope["method"], scope["path"], scope["query_string"].decode("latin-1"), key
    return sha256("\0".join(parts).encode("utf-8", "surrogateescape")).digest()


def _copy(message: Message) -> Message:
    """A copy with its own headers: other middleware adds to them."""
    return {**message, "headers": list(message["headers"])} if "headers" in message else message


def _is_final(messages: list[Message]) -> bool:
    """Returns True for a complete answer that a repetition must get too."""
    return bool(messages) and messages[0]["status"] not in NOT_DONE and not messages[-1].get("more_body", False)
