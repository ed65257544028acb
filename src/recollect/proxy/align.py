"""Which of the messages of a request are stored already. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Literal

Habit = Literal["whole", "part", "again"]  # the whole history, any part of it, or what was sent before
FEW = 3  # messages: so small a window says too little to be looked for further back
NEAR = 16  # messages that may lie between two of a history: other answers, turns that were taken back


def align(
    stored: Sequence[str], given: Sequence[str], user: Sequence[bool], *, whole: bool = True, habit: Habit = "part"
) -> list[int | None]:
    """For each key that is given, its place among those stored, in order; None where it is not there. `user` says
    which of those stored are the user's, `whole` whether they are all there are.

    A lone message that is stored counts as known while nothing answers it, and in a retry; else somebody says the same
    once more. So does a window whose messages but the newest are the last that are stored, though they stand further
    back, too. What is the whole history is known wherever it stands.
    """
    again = [] if habit == "part" else _again(stored, given, user)
    if again:
        return again
    if len(given) == 1:
        return [_lone(stored, given[0], first=whole and habit == "whole")]
    found = _matched(stored, given)
    known = sum(place is not None for place in found)
    moved = _overlap(stored, given)
    enough = known if habit == "whole" else 1 if len(given) <= FEW else min(known, len(given) - 1)
    if moved and moved >= enough:
        return [*range(len(stored) - moved, len(stored)), *(None for _ in given[moved:])]
    return found


def _matched(stored: Sequence[str], given: Sequence[str]) -> list[int | None]:
    """The longest stretches that are the same, in order."""
    same = _same_beginning(stored, given)
    found: list[int | None] = [*range(same), *(None for _ in given[same:])]
    for block in SequenceMatcher(None, stored[same:], given[same:], autojunk=False).get_matching_blocks():
        for step in range(block.size):
            found[same + block.b + step] = same + block.a + step
    return found


def since(seqs: Sequence[int | None]) -> int | None:
    """The seq with which the unbroken end of a history begins; None where nothing of it is stored."""
    first: int | None = None
    for seq in reversed(seqs):
        if seq is None:
            continue
        if first is not None and not first - NEAR <= seq <= first:
            break
        first = seq
    return first


def _same_beginning(stored: Sequence[str], given: Sequence[str]) -> int:
    pairs = enumerate(zip(stored, given, strict=False))
    return next((at for at, (old, new) in pairs if old != new), min(len(stored), len(given)))


def _overlap(stored: Sequence[str], given: Sequence[str]) -> int:
    """How many of those given first are those stored last: a window that has moved on."""
    most = min(len(stored), len(given))
    return next((size for size in range(most, 0, -1) if stored[-size:] == given[:size]), 0)


def _lone(stored: Sequence[str], key: str, *, first: bool) -> int | None:
    """The place of a message that was sent alone: the last, or the `first` where a history begins with it."""
    if stored and stored[-1] == key:
        return len(stored) - 1
    return 0 if first and stored and stored[0] == key else None


def _again(stored: Sequence[str], given: Sequence[str], user: Sequence[bool]) -> list[int | None]:
    """The places of what was sent before, to its end in the last turn; none where it was not."""
    turn = max((at for at, said in enumerate(user) if said), default=0)
    ends = range(len(stored), max(turn, len(given) - 1), -1)
    return next(([*range(end - len(given), end)] for end in ends if stored[end - len(given) : end] == given), [])
