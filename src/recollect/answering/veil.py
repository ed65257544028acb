"""A context as it may leave the machine."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, TypeVar

from recollect.context.context import Context
from recollect.context.turn import Turn

T = TypeVar("T")


class Mask(Protocol):
    """Puts something else in the place of every secret in JSON."""

    def __call__(self, value: T, /) -> T: ...


def veiled(context: Context, mask: Mask) -> Context:
    """The context with masked words. Names, ids and what joins a tool's call to its result stay."""

    def veil(turn: Turn) -> Turn:
        calls = tuple(replace(call, arguments=mask(call.arguments)) for call in turn.calls)
        return replace(turn, text=mask(turn.text), parts=tuple(map(mask, turn.parts)), calls=calls)

    return replace(context, turns=tuple(map(veil, context.turns)))
