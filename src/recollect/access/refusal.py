"""What a door refuses before any verb is called."""

from __future__ import annotations

from collections.abc import Mapping


class Refusal(Exception):
    """A request that is not let in. `status` and `code` are what its answer says."""

    status = 403
    code = "forbidden"

    def __init__(self, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.headers = dict(headers or {})


class KeyNeeded(Refusal):
    """No key, or none that opens anything."""

    status = 401
    code = "key_needed"


class NotAllowed(Refusal):
    """The key does not reach so far. The text never says whether what was asked for exists."""


class TooMany(Refusal):
    """More requests than the rate allows."""

    status = 429
    code = "too_many_requests"


class Misaddressed(Refusal):
    """The Host or Origin is not one that this server answers to."""

    status = 421
    code = "misdirected"


class Unclear(Refusal):
    """It cannot be told which space is meant."""

    status = 400
    code = "which_space"


class TooLarge(Refusal):
    """More bytes than are taken, as they are sent or once they are unpacked."""

    status = 413
    code = "too_large"
