"""A list that is not cut into pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Listed(Generic[T]):
    items: list[T]


def listed(found: Iterable[T]) -> Listed[T]:
    return Listed(list(found))
