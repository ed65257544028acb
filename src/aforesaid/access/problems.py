"""Errors of the HTTP interfaces: refusals that are raised before a method runs, and one table that maps every error to
an RFC 9457 problem.

An error text never says whether a record exists that the caller may not see.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from aforesaid import errors
from aforesaid.errors import AforesaidError

if TYPE_CHECKING:
    from starlette.responses import JSONResponse


class Refusal(Exception):
    """A request that is refused before it runs. The response has its `status` and `code`."""

    status = 403
    code = "forbidden"

    def __init__(self, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.headers = dict(headers or {})


class Unauthenticated(Refusal):
    """The request has no key, or an unknown or revoked one."""

    status, code = 401, "key_needed"


class Forbidden(Refusal):
    """The key does not allow the request. The text never says whether the record exists."""


class IssuerUnavailable(Refusal):
    """The keys of the issuer of OAuth tokens cannot be read."""

    status, code = 503, "issuer_unavailable"


class TooManyRequests(Refusal):
    """The caller exceeds a limit."""

    status, code = 429, "too_many_requests"


class MisdirectedRequest(Refusal):
    """The Host or Origin is not one of this server's names."""

    status, code = 421, "misdirected"


class MalformedRequest(Refusal):
    """The request does not conform to HTTP. The connection is closed: where the request ends is not certain."""

    status, code = 400, "malformed"


class UnsupportedMediaType(Refusal):
    """A request that could come from a page of another origin, because of its Content-Type."""

    status, code = 415, "unsupported_media_type"


class AmbiguousSpace(Refusal):
    """The request names no space or several spaces."""

    status, code = 400, "which_space"


class PayloadTooLarge(Refusal):
    """The body is too large, as sent or after unpacking."""

    status, code = 413, "too_large"


class InDoubt(Refusal):
    """A repeated request that may have been done already: this process does not have its first answer."""

    status, code = 409, "in_doubt"


class ResponseAborted(ConnectionAbortedError):
    """Closes the connection in the middle of a response. The code that raises it has logged the reason."""


MEDIA = "application/problem+json"
PROXY_PREFIX = "/v1/"  # below this path, clients of model APIs expect an `error` member
OLLAMA_PREFIX = "/ollama"
OLLAMA_NAMES = (  # of Ollama's paths below /api that are not this server's own, such as /api/version
    "chat", "generate", "tags", "ps", "show", "embed", "embeddings", "pull", "push", "create", "copy", "delete"
)  # fmt: skip
OLLAMA_PATH = re.compile(rf"/api/({'|'.join(OLLAMA_NAMES)}|blobs/sha256[:-][0-9a-f]{{64}})")
STATUS_TABLE: tuple[tuple[type[AforesaidError], int, str], ...] = (
    (errors.BudgetExceeded, 422, "budget_exceeded"),
    (errors.NoModel, 422, "no_model"),
    (errors.InvalidInput, 422, "invalid_input"),
    (errors.NotFound, 404, "not_found"),
    (errors.ConflictError, 409, "conflict"),
    (errors.StateError, 409, "wrong_state"),
    (errors.OnHold, 409, "on_hold"),
    (errors.ConsentNeeded, 403, "consent_needed"),
    (errors.NotFinished, 504, "not_finished"),
    (errors.CapReached, 429, "cap_reached"),
    (errors.ProviderRefused, 502, "model_refused"),
    (errors.ProviderError, 503, "model_unavailable"),
    (errors.StoreBusy, 503, "store_busy"),
    (errors.StoreFull, 507, "store_full"),
    (errors.StoreDamaged, 500, "store_damaged"),
    (errors.StoreMoved, 500, "store_moved"),
    (errors.StoreError, 500, "store_error"),
    (errors.ClosedError, 503, "closing"),
)
MAX_CAUSES = 5
RETRY_AFTER_SECONDS = {429: "60", 503: "1"}


@dataclass(frozen=True, slots=True)
class Problem:
    """An error and its remedy. `code` is for programs, `detail` for people. `data` are the values of the
    error, such as the `needed` tokens of `budget_exceeded`."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    data: Mapping[str, str | int | bool | None] | None = None


def problem(status: int, code: str, detail: str, data: Mapping[str, str | int | bool | None] | None = None) -> Problem:
    title = code.replace("_", " ").capitalize()
    return Problem(f"urn:aforesaid:{code}", title, status, code, detail, data)


def problem_of(error: AforesaidError | Refusal) -> Problem:
    if isinstance(error, Refusal):
        return problem(error.status, error.code, str(error))
    status, code = next((row[1:] for row in STATUS_TABLE if isinstance(error, row[0])), (500, "error"))
    return problem(status, code, str(error), vars(error) or None)


def problem_response(problem: Problem, headers: Mapping[str, str] | None = None, path: str = "") -> JSONResponse:
    from starlette.responses import JSONResponse

    retry = {"Retry-After": RETRY_AFTER_SECONDS[problem.status]} if problem.status in RETRY_AFTER_SECONDS else {}
    content = problem_record(problem) | error_member(problem, path)
    return JSONResponse(content, problem.status, retry | dict(headers or {}), media_type=MEDIA)


def problem_record(problem: Problem) -> dict[str, object]:
    """The members of a problem; `data` only if it has some."""
    return {name: value for name, value in asdict(problem).items() if name != "data" or value}


def error_member(problem: Problem, path: str) -> dict[str, object]:
    """Returns what the clients of model APIs show: those of OpenAI and Anthropic an object, those of Ollama a text."""
    inner = path.removeprefix(OLLAMA_PREFIX) if f"{path}/".startswith(f"{OLLAMA_PREFIX}/") else path
    if f"{inner}/".startswith(PROXY_PREFIX):
        return {"error": {"message": problem.detail, "type": problem.code}}
    return {"error": problem.detail} if inner != path or OLLAMA_PATH.fullmatch(path) else {}


def error_response(error: AforesaidError | Refusal, path: str = "") -> JSONResponse:
    return problem_response(problem_of(error), error.headers if isinstance(error, Refusal) else None, path)


def failure_fields(action: str, error: BaseException) -> dict[str, object]:
    """Log fields for an unexpected error: its type, the types of its causes, and where it was raised.

    They never contain the error's text, which may quote a user.
    """
    causes: list[str] = []
    cause = error.__cause__ or error.__context__
    while cause is not None and len(causes) < MAX_CAUSES:
        causes.append(type(cause).__name__)
        cause = cause.__cause__ or cause.__context__
    frames = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)]
    return {"action": action, "error": type(error).__name__, "causes": causes, "raised": frames}
