"""A part of a list, and where the next part begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

from fastapi import Query

T = TypeVar("T")

MOST = 1000
Limit = Annotated[int, Query(ge=1, le=MOST, description="How many at most.")]
After = Annotated[str | None, Query(max_length=1024, description="`next` of the page before.")]


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """`next` is what `after` must be to get the next part; null at the end."""

    items: list[T]
    next: str | None


def page(found: Sequence[T], limit: int, cursor: Callable[[T], str]) -> Page[T]:
    """What was found with a limit of one more than is shown."""
    shown = list(found[:limit])
    return Page(shown, cursor(shown[-1]) if len(found) > limit else None)
