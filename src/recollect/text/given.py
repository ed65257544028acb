"""What a caller gives that is no plain value: objects, functions, lists; checked at the door, as `accept` does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import UnionType
from typing import TypeVar

from recollect.errors import InvalidInput

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])


def able(value: T, what: str, *verbs: str) -> T:
    """An object of the caller's own that can do what is asked of it."""
    if not all(hasattr(value, verb) for verb in verbs):
        wanted = " and ".join(f"`{verb}`" for verb in verbs)
        raise InvalidInput(f"{what} must be a name, or an object with {wanted}, not {type(value).__name__}")
    return value


def function(value: F, what: str) -> F:
    if not callable(value):
        raise InvalidInput(f"{what} must be a function, not {type(value).__name__}")
    return value


def one(value: T, kind: type | UnionType, advice: str) -> T:
    """An object of this kind; `advice` says what to give."""
    if not isinstance(value, kind):
        raise InvalidInput(f"{advice}, not {type(value).__name__}")
    return value


def several(value: Iterable[T], what: str) -> tuple[T, ...]:
    """A list of things. A text is one thing, and a mapping none of these."""
    if isinstance(value, str):
        raise InvalidInput(f"{what} must be a list, such as [{value[:40]!r}]")
    if isinstance(value, bytes | Mapping) or not isinstance(value, Iterable):
        raise InvalidInput(f"{what} must be a list, not {type(value).__name__}")
    return tuple(value)
