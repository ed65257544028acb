"""Secrets leave a message before anything of it is stored, where a space asks for that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from recollect.models import Json
from recollect.text import passwords
from recollect.text.secrets import masked

T = TypeVar("T")
UNTOUCHED = ("id", "type")  # what joins a call to its result, and a part to its kind
MASKED = "[masked: password]"


def mask(value: T) -> T:
    """The same JSON with every text in it masked, and the value of every key that names a secret. Text that is data (an
    image in a URL) stays."""
    made: T = _masked(value)
    return made


def _masked(value: Json) -> Json:
    if isinstance(value, str):
        return value if value.startswith("data:") else masked(value)
    if isinstance(value, Mapping):
        return {key: inner if key in UNTOUCHED else _named(key, inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_masked(inner) for inner in value]
    return value


def _named(key: str, value: Json) -> Json:
    return MASKED if isinstance(value, str) and passwords.is_one(key, value) else _masked(value)
