"""Which of the messages of a request are stored already. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

NEAR = 16  # messages that may lie between two of a history: other answers, turns that were taken back


def align(stored: Sequence[str], given: Sequence[str], user: Sequence[bool], *, whole: bool = True) -> list[int | None]:
    """For each key that is given, its place among those stored, in order; None where it is not there. `user` says
    which of those stored are the user's, `whole` whether they are all there are.

    A lone message that is stored counts as known only in the last turn, or at the very beginning: elsewhere somebody
    says the same once more.
    """
    found = _matched(stored, given)
    known = [place for place in found if place is not None]
    if len(given) == 1 and known and not (whole and known == [0]):
        return [_last(stored, given[0], user)]
    moved = _overlap(stored, given)
    if moved >= len(known) and moved:
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


def _last(stored: Sequence[str], key: str, user: Sequence[bool]) -> int | None:
    """The place of a key in the last turn."""
    turn = max((at for at, said in enumerate(user) if said), default=0)
    return next((at for at in range(turn, len(stored)) if stored[at] == key), None)
