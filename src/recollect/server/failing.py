"""Every error becomes a problem; none shows what it must not."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from recollect.access.problems import MEDIA, Problem, headers, of_error, of_refusal, problem
from recollect.access.refusal import Refusal
from recollect.errors import RecollectError

log = logging.getLogger(__name__)

CODES = {400: "malformed", 404: "no_such_path", 405: "no_such_method", 413: "too_large"}


def answer(problem: Problem, extra: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse(asdict(problem), problem.status, headers(problem, extra or {}), media_type=MEDIA)


def refused(_: Request, exc: Exception) -> JSONResponse:
    assert isinstance(exc, Refusal)
    return answer(of_refusal(exc), exc.headers)


def failed(_: Request, exc: Exception) -> JSONResponse:
    assert isinstance(exc, RecollectError)
    return answer(of_error(exc))


def invalid(_: Request, exc: Exception) -> JSONResponse:
    assert isinstance(exc, RequestValidationError)
    return answer(problem(422, "invalid_input", "; ".join(map(_line, exc.errors()))))


def unknown(_: Request, exc: Exception) -> JSONResponse:
    assert isinstance(exc, HTTPException)
    return answer(problem(exc.status_code, CODES.get(exc.status_code, "error"), exc.detail), exc.headers)


def broken(_: Request, exc: Exception) -> JSONResponse:
    """What nobody expected. Its text may quote somebody's words: it goes nowhere."""
    log.error("request failed", extra={"action": "request failed", "error": type(exc).__name__})
    return answer(problem(500, "error", "the server failed; its log says what kind of error it was"))


def install(app: FastAPI) -> None:
    app.add_exception_handler(Refusal, refused)
    app.add_exception_handler(RecollectError, failed)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, unknown)
    app.add_exception_handler(Exception, broken)


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The problems that a route may answer with, for its description."""
    return {status: {"model": Problem, "content": {MEDIA: {}}, "description": WORDS[status]} for status in statuses}


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


def _line(error: Mapping[str, Any]) -> str:
    """Where and why, without the value: it may be somebody's words."""
    place: Sequence[object] = error.get("loc", ())
    return f"{'.'.join(map(str, place[1:])) or 'body'}: {error.get('msg', 'not valid')}"
