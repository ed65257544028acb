"""API keys and rate limit requests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from aforesaid.models.value import Value

KeyAccess = Literal["read", "write", "admin"]  # each includes the ones before it
KEY_ACCESS: tuple[KeyAccess, ...] = get_args(KeyAccess)


@dataclass(frozen=True, slots=True)
class Key(Value):
    """An API key. `spaces` are those that it gives access to; None for all."""

    id: str
    name: str
    access: KeyAccess
    spaces: tuple[str, ...] | None
    created_at: datetime
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewKey(Value):
    """A new key. Its owner sends `secret`, which is not stored."""

    key: Key
    secret: str


@dataclass(frozen=True, slots=True)
class RateLimitRequest:
    """A request for `wanted` calls by a principal with a limit of `most` calls per `seconds`."""

    principal: str
    most: int
    seconds: float
    wanted: int
    at: datetime
