"""API keys and rate limit requests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

KeyAccess = Literal["read", "write", "admin"]  # each may do what those before it may
KEY_ACCESS: tuple[KeyAccess, ...] = ("read", "write", "admin")


@dataclass(frozen=True, slots=True)
class Key:
    """Who may come in by a door. `spaces` are those that it opens; None: all of them."""

    id: str
    name: str
    access: KeyAccess
    spaces: tuple[str, ...] | None
    created_at: datetime
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made. `secret` is what its owner sends; it is kept nowhere and shown only now."""

    key: Key
    secret: str


@dataclass(frozen=True, slots=True)
class RateLimitRequest:
    """So many calls that a principal wants to make of the `most` that it may make in `seconds`."""

    principal: str
    most: int
    seconds: float
    wanted: int
    at: datetime
