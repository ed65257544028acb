"""Texts that must stay and do not fit: the longest are cut in the middle, with a mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from recollect.context.cost import REPLY, Costs
from recollect.context.turn import Turn

MARK = "\n[… cut …]\n"


@dataclass(frozen=True, slots=True)
class Truncated:
    turns: tuple[Turn, ...]
    cut: frozenset[int]


def truncate(turns: Sequence[Turn], most: int, costs: Costs) -> Truncated | None:
    """The turns with the longest texts shortened, so that all together take at most `most` tokens; None where the
    turns without their texts take more. Parts that are not text go first."""
    plain = [replace(turn, text=_words(turn), parts=()) for turn in turns]
    room = most - REPLY - sum(costs.turn(replace(turn, text="")) for turn in plain)
    if room < 0:
        return None
    sizes = [costs.text(turn.text) for turn in plain]
    level = _level(sizes, room)
    cut = {at for at, size in enumerate(sizes) if size > level}
    made = [replace(t, text=shorten(t.text, level, costs)) if at in cut else t for at, t in enumerate(plain)]
    changed = cut | {at for at, turn in enumerate(turns) if turn.parts}
    return Truncated(tuple(made), frozenset(changed))


def shorten(text: str, most: int, costs: Costs) -> str:
    """The beginning and the end of a text around a mark, in at most `most` tokens; less where that is too few."""
    low, high, best = 0, len(text), ""
    for shortest in ("…", MARK):
        best = shortest if costs.text(shortest) <= most else best
    while low < high:
        kept = (low + high + 1) // 2
        head = -(-kept * 2 // 3)
        made = text[:head] + MARK + text[len(text) - (kept - head) :]
        if costs.text(made) <= most:
            low, best = kept, made
        else:
            high = kept - 1
    return best


def _level(sizes: Sequence[int], room: int) -> int:
    """How large a text may be, so that all of them, each cut to it, fill the room at most."""
    rest = sorted(sizes)
    while rest and rest[0] * len(rest) <= room:
        room -= rest.pop(0)
    return room // len(rest) if rest else max(sizes, default=0)


def _words(turn: Turn) -> str:
    others = [f"[{part['type']} left out]" for part in turn.parts if part["type"] != "text"]
    return "\n".join([text for text in (turn.text, *others) if text])
