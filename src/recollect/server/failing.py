"""Every error becomes a problem; none shows what it must not."""

from __future__ import annotations

import logging
from asyncio import CancelledError
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.access.broken import BrokenOff
from recollect.access.problems import MEDIA, Problem, headers, members, of_error, of_refusal, problem
from recollect.access.refusal import Refusal
from recollect.errors import RecollectError

log = logging.getLogger(__name__)

SCHEMA = {"$ref": f"#/components/schemas/{Problem.__name__}"}
LONGEST_KIND = 80  # characters of a Content-Type that are repeated
CODES = {400: "malformed", 404: "no_such_path", 405: "no_such_method", 413: "too_large"}


def answer(problem: Problem, extra: Mapping[str, str] | None = None, path: str = "") -> JSONResponse:
    return JSONResponse(members(problem, path), problem.status, headers(problem, extra or {}), media_type=MEDIA)


def refused(_: Request, exc: Exception) -> JSONResponse:
    assert isinstance(exc, Refusal)
    return answer(of_refusal(exc), exc.headers)


def failed(_: Request, exc: Exception) -> JSONResponse:
    assert isinstance(exc, RecollectError)
    return answer(of_error(exc))


def invalid(request: Request, exc: Exception) -> JSONResponse:
    assert isinstance(exc, RequestValidationError)
    unread = isinstance(exc.body, bytes) and exc.body  # JSON is only looked for where it is said to be
    wrong = _mistyped(request) if unread else "; ".join(map(_line, exc.errors()))
    return answer(problem(422, "invalid_input", wrong))


def unknown(request: Request, exc: Exception) -> JSONResponse:
    assert isinstance(exc, HTTPException)
    said = problem(exc.status_code, CODES.get(exc.status_code, "error"), exc.detail)
    return answer(said, exc.headers, request.url.path)


def gone(_: Request, exc: Exception) -> JSONResponse:  # noqa: ARG001 (an exception handler)
    return answer(problem(400, "malformed", "the body ended before all of it had come"))


class LastResort:
    """What nobody expected. Its text may quote somebody's words: it goes nowhere, not even into the server's log."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def say(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, say)
        except CancelledError:  # the server ends, and has waited for long enough
            if scope["type"] != "http":
                raise
            log.info("request cut off", extra={"action": "request_cut_off"})
            if begun:
                raise BrokenOff("the server ends") from None
            closing = problem(503, "closing", "the server is closing; try again")
            await answer(closing, path=scope["path"])(scope, receive, send)
        except BrokenOff:
            raise
        except Exception as exc:  # noqa: BLE001 (whatever it is, it has to be answered)
            log.error("request failed", extra={"action": "request_failed", "error": type(exc).__name__})
            if begun:
                raise BrokenOff("the answer could not be brought to its end") from None
            broken = problem(500, "error", "the server failed; its log says what kind of error it was")
            await answer(broken, path=scope.get("path", ""))(scope, receive, send)


def install(app: FastAPI) -> None:
    app.add_exception_handler(Refusal, refused)
    app.add_exception_handler(RecollectError, failed)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, unknown)
    app.add_exception_handler(ClientDisconnect, gone)


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The problems that a route may answer with, for its description; of a model, FastAPI would make a schema for each
    and for every route."""
    return {status: {"content": {MEDIA: {"schema": SCHEMA}}, "description": WORDS[status]} for status in statuses}


WORDS = {
    400: "The request cannot be read, or it cannot be told which space is meant.",
    401: "A key is needed.",
    403: "The key does not reach so far, or consent is missing.",
    404: "There is no such record in this space.",
    409: "The id is taken, or the present state does not allow it.",
    413: "The body is too large.",
    421: "This server does not answer to that Host.",
    422: "What was sent cannot be taken; `detail` says what to do.",
    429: "Too many requests, or the day's tokens are spent.",
    500: "The server or its store failed.",
    502: "A model refused.",
    503: "Busy, closing, or a model is not to be had; try again.",
    504: "Background work did not end in time; it goes on.",
    507: "The disk is full; what was acknowledged is safe.",
}
EVERYWHERE = documented(400, 401, 403, 404, 409, 413, 421, 422, 429, 500, 502, 503, 504, 507)


def _mistyped(request: Request) -> str:
    kind = request.headers.get("content-type", "")[:LONGEST_KIND]
    sent = f"was sent as {kind}" if kind else "came without a Content-Type"
    return f"the body {sent}, so it was not read; send JSON, with the header Content-Type: application/json"


def _line(error: Mapping[str, Any]) -> str:
    """Where and why, without the value: it may be somebody's words."""
    place: Sequence[object] = error.get("loc", ())
    return f"{'.'.join(map(str, place[1:])) or 'body'}: {error.get('msg', 'not valid')}"
