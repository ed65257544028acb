"""Every error becomes a problem response (RFC 9457). The text of an unexpected error is neither sent nor logged."""

from __future__ import annotations

import logging
from asyncio import CancelledError
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from aforesaid.access.problems import (
    MEDIA,
    Problem,
    Refusal,
    ResponseAborted,
    error_response,
    failure_fields,
    problem,
    problem_response,
)
from aforesaid.errors import AforesaidError

log = logging.getLogger(__name__)

MAX_CONTENT_TYPE = 80  # characters of a Content-Type that an error message repeats
CODES = {400: "malformed", 404: "no_such_path", 405: "no_such_method", 413: "too_large"}
PROBLEM_RESPONSES: Mapping[int | str, tuple[str, str]] = {  # their names in the OpenAPI description, and what they mean
    404: ("NotFound", "The space has no such record."),
    409: ("Conflict", "The id is taken, the record's state does not allow this, or the space is on hold."),
    422: ("InvalidInput", "The input is invalid; `detail` says what to do."),
    "default": (
        "OtherProblem",
        "Any other problem: `code` names it, and `detail` says what to do. Every operation can answer 401 (a key is "
        "needed), 403 (the key does not allow this, or consent is missing), 429 (too many requests, or the daily token "
        "cap is reached) and 503 (busy, closing, or a model is not available; try again).",
    ),
}


def problem_responses(*statuses: int | str) -> dict[int | str, dict[str, Any]]:
    """Returns the OpenAPI description of errors, with one schema: `model` would add one per status and route."""
    schema = {"$ref": f"#/components/schemas/{Problem.__name__}"}
    return {
        status: {"content": {MEDIA: {"schema": schema}}, "description": PROBLEM_RESPONSES[status][1]}
        for status in statuses
    }


COMMON_PROBLEMS = problem_responses(404, 409, 422, "default")


def on_error(_: Request, exc: Exception) -> JSONResponse:
    assert isinstance(exc, AforesaidError | Refusal)
    response = error_response(exc)
    if response.status_code == 500:
        log.error("request failed", extra=failure_fields("request_failed", exc))
    return response


def on_invalid_request(request: Request, exc: Exception) -> JSONResponse:
    """Names the wrong fields, without their values: a value may quote a user."""
    assert isinstance(exc, RequestValidationError)
    if isinstance(exc.body, bytes) and exc.body:  # FastAPI parses JSON only if the Content-Type says JSON
        kind = request.headers.get("content-type", "")[:MAX_CONTENT_TYPE]
        declared = f"has the Content-Type {kind}" if kind else "has no Content-Type"
        detail = f"the body {declared} and was not parsed; send JSON with the header Content-Type: application/json"
    else:
        detail = "; ".join(
            f"{'.'.join(map(str, error.get('loc', ())[1:])) or 'body'}: {error.get('msg', 'not valid')}"
            for error in exc.errors()
        )
    return problem_response(problem(422, "invalid_input", detail))


def on_http_exception(request: Request, exc: Exception) -> JSONResponse:
    assert isinstance(exc, HTTPException)
    body = problem(exc.status_code, CODES.get(exc.status_code, "error"), exc.detail)
    headers: Mapping[str, str] | None = exc.headers
    return problem_response(body, headers, request.url.path)


def on_disconnect(_: Request, exc: Exception) -> JSONResponse:  # noqa: ARG001 (an exception handler)
    return problem_response(problem(400, "malformed", "the connection closed before the whole body arrived"))


def install(app: FastAPI) -> None:
    app.add_exception_handler(Refusal, on_error)
    app.add_exception_handler(AforesaidError, on_error)
    app.add_exception_handler(RequestValidationError, on_invalid_request)
    app.add_exception_handler(HTTPException, on_http_exception)
    app.add_exception_handler(ClientDisconnect, on_disconnect)


class CatchAllMiddleware:
    """Answers unexpected errors with 500, and requests that shutdown cancels with 503. If the response has already
    started, it closes the connection instead."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def send_and_note(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, send_and_note)
        except CancelledError:  # the server stops, and the time for running requests is over
            if scope["type"] != "http":
                raise
            log.info("request cancelled", extra={"action": "request_cancelled"})
            answer = problem(503, "closing", "the server is closing; try again")
        except ResponseAborted:
            raise
        except Exception as exc:  # noqa: BLE001 (the last handler: every request gets a response)
            log.error("request failed", extra=failure_fields("request_failed", exc))
            answer = problem(500, "error", "the server failed; its log has the type of the error")
        else:
            return
        if started:
            raise ResponseAborted("the response is incomplete")
        await problem_response(answer, path=scope.get("path", ""))(scope, receive, send)
