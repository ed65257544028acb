"""What memory adds to a context, as a model may see it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol, TypeVar

from recollect.context.quote import Quote
from recollect.models import Pin, ProfileField, Summary

T = TypeVar("T")


class Mask(Protocol):
    """Puts something else in the place of every secret in JSON."""

    def __call__(self, value: T, /) -> T: ...


def bare(value: T) -> T:
    """The mask that hides nothing."""
    return value


def pins(mask: Mask, found: Iterable[Pin]) -> tuple[Pin, ...]:
    return tuple(replace(pin, content=mask(pin.content)) for pin in found)


def summaries(mask: Mask, found: Iterable[Summary]) -> tuple[Summary, ...]:
    return tuple(replace(summary, text=mask(summary.text)) for summary in found)


def profile(mask: Mask, found: Iterable[ProfileField]) -> tuple[ProfileField, ...]:
    """A field's name may say that its value is a secret."""
    return tuple(replace(field, value=mask({field.name: field.value})[field.name]) for field in found)


def quote(mask: Mask, found: Quote) -> Quote:
    return replace(found, text=mask(found.text))
