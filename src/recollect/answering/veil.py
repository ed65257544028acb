"""A context as it may leave the machine."""

from __future__ import annotations

from dataclasses import replace

from recollect.context.context import Context
from recollect.context.turn import Turn
from recollect.context.veil import Mask


def veiled(context: Context, mask: Mask) -> Context:
    """The context with masked words. Names, ids and what joins a tool's call to its result stay."""

    def veil(turn: Turn) -> Turn:
        calls = tuple(replace(call, arguments=mask(call.arguments)) for call in turn.calls)
        return replace(turn, text=mask(turn.text), parts=tuple(map(mask, turn.parts)), calls=calls)

    return replace(context, turns=tuple(map(veil, context.turns)))
