"""The errors of a server: each problem (RFC 9457) becomes the error that the verb raises on a store of this process."""

from __future__ import annotations

from aforesaid import errors
from aforesaid.errors import AccessDenied, AforesaidError, InvalidInput, ServerUnavailable, StoreError
from aforesaid.models.json import Json

ERRORS: dict[str, type[AforesaidError]] = {
    "budget_exceeded": errors.BudgetExceeded,
    "no_model": errors.NoModel,
    "invalid_input": errors.InvalidInput,
    "not_found": errors.NotFound,
    "conflict": errors.ConflictError,
    "wrong_state": errors.StateError,
    "on_hold": errors.OnHold,
    "consent_needed": errors.ConsentNeeded,
    "not_finished": errors.NotFinished,
    "cap_reached": errors.CapReached,
    "model_refused": errors.ProviderRefused,
    "model_unavailable": errors.ProviderError,
    "store_busy": errors.StoreBusy,
    "store_full": errors.StoreFull,
    "store_damaged": errors.StoreDamaged,
    "store_moved": errors.StoreMoved,
    "wrong_key": errors.WrongKey,
    "schema_too_new": errors.SchemaTooNew,
    "store_error": errors.StoreError,
    "closing": errors.ServerUnavailable,
    "key_needed": errors.AccessDenied,
    "forbidden": errors.AccessDenied,
    "too_many_requests": errors.ServerUnavailable,
    "in_doubt": errors.ServerUnavailable,
    "issuer_unavailable": errors.ServerUnavailable,
    "which_space": errors.InvalidInput,
    "too_large": errors.InvalidInput,
    "malformed": errors.InvalidInput,
}
NEEDED: dict[type[AforesaidError], dict[str, Json]] = {  # what an older server does not send
    errors.BudgetExceeded: {"needed": 0, "budget": 0},
    errors.ConflictError: {"id": ""},
    errors.StateError: {"status": ""},
    errors.OnHold: {"reason": ""},
    errors.NotFinished: {"pending": 0},
    errors.CapReached: {"needed": 0, "spent": 0, "cap": 0},
}


def error_of(problem: Json, status: int, address: str) -> AforesaidError:
    """The error for a problem. What is no problem comes from another program, such as a reverse proxy."""
    if not isinstance(problem, dict) or not isinstance(problem.get("code"), str):
        if status in (401, 403):
            return AccessDenied(f"{address} answered {status}: something before the server refuses the request")
        return ServerUnavailable(
            f"{address} answered {status}, and not as an aforesaid server; check the address, and any proxy before it"
        )
    code, detail = problem["code"], str(problem.get("detail", ""))
    kind = ERRORS.get(code, InvalidInput if 400 <= status < 500 else StoreError)
    if kind in (AccessDenied, ServerUnavailable):
        detail = f"{address}: {detail}"
    if code == "key_needed":
        detail += "; give key=… to Memory, or set AFORESAID_KEY"
    data = problem.get("data")
    known = NEEDED.get(kind, {}) | (data if isinstance(data, dict) else {})
    try:
        return kind(detail, **known)
    except TypeError:  # a newer server sends more
        return kind(detail, **NEEDED.get(kind, {}))
