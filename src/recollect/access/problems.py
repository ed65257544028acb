"""The answer to every error: one table, one shape (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from recollect.access.refusal import Refusal
from recollect.errors import (
    BudgetExceeded,
    CapReached,
    ClosedError,
    ConflictError,
    ConsentNeeded,
    InvalidInput,
    NoModel,
    NotFinished,
    NotFound,
    ProviderError,
    ProviderRefused,
    RecollectError,
    StateError,
    StoreBusy,
    StoreError,
    StoreFull,
)

MEDIA = "application/problem+json"
MODELS = "/v1/"  # where the proxy answers as a model's service
TABLE: tuple[tuple[type[RecollectError], int, str], ...] = (
    (BudgetExceeded, 422, "budget_exceeded"),
    (NoModel, 422, "no_model"),
    (InvalidInput, 422, "invalid_input"),
    (NotFound, 404, "not_found"),
    (ConflictError, 409, "conflict"),
    (StateError, 409, "wrong_state"),
    (ConsentNeeded, 403, "consent_needed"),
    (NotFinished, 504, "not_finished"),
    (CapReached, 429, "cap_reached"),
    (ProviderRefused, 502, "model_refused"),
    (ProviderError, 503, "model_unavailable"),
    (StoreBusy, 503, "store_busy"),
    (StoreFull, 507, "store_full"),
    (StoreError, 500, "store_error"),
    (ClosedError, 503, "closing"),
)
LATER = {429: "60", 503: "1"}  # seconds after which it is worth another try


@dataclass(frozen=True, slots=True)
class Problem:
    """What went wrong, and what to do. `code` is for programs, `detail` for people."""

    type: str
    title: str
    status: int
    code: str
    detail: str


def problem(status: int, code: str, detail: str) -> Problem:
    title = code.replace("_", " ").capitalize()
    return Problem(f"urn:recollect:{code}", title, status, code, detail)


def of_error(error: RecollectError) -> Problem:
    status, code = next(((s, c) for kind, s, c in TABLE if isinstance(error, kind)), (500, "error"))
    return problem(status, code, str(error))


def of_refusal(refusal: Refusal) -> Problem:
    return problem(refusal.status, refusal.code, str(refusal))


def members(problem: Problem, path: str = "") -> dict[str, object]:
    """What the answer holds. The clients of models look for an `error` at their paths."""
    error = {"error": {"message": problem.detail, "type": problem.code}} if f"{path}/".startswith(MODELS) else {}
    return asdict(problem) | error


def headers(problem: Problem, extra: Mapping[str, str]) -> dict[str, str]:
    later = {"Retry-After": LATER[problem.status]} if problem.status in LATER else {}
    return later | dict(extra)
